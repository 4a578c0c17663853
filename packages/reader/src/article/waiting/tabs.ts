import { createElement } from '../blocks/tree.ts';
import { compact } from '../plain-text.ts';
import { selectAll, selectClosest } from '../tree/select.ts';

/** Elements around the labels of tabs, by their names. */
const TABS = /(?:^|[\s_-])tab(?:s|bed)?(?:$|[\s_-])/i;

/** Detects the label of a tab that a radio button opens, without a script. */
export function isTabLabel(name: string, { className }: Element): boolean {
  return name === 'label' && TABS.test(className);
}

/** Puts the labels of tabs before their panels, which stand one after the other. */
export function labelTabs(document: Document): void {
  const lists = Map.groupBy(selectAll(document, '[role="tab"]'), (tab) => {
    return selectClosest(tab, '[role="tablist"], ul, ol') ?? tab.parentElement;
  });
  for (const [list, tabs] of lists) {
    const panels = list === null ? [] : findPanels(list);
    if (tabs.length < 2 || panels.length !== tabs.length) {
      // without panels they are links to other views of a page
      const isTablist = panels.length === 0 || list?.getAttribute('role') === 'tablist';
      if (
        isTablist &&
        compact(list?.textContent ?? '') === compact(tabs.map(({ textContent }) => textContent).join(' '))
      )
        list?.remove();
      continue;
    }
    for (const [i, panel] of panels.entries()) {
      const label = createElement(document, 'strong', {}, tabs[i]?.textContent.trim() ?? '');
      panel.prepend(createElement(document, 'p', {}, label));
    }
    list?.remove();
  }
}

/** Finds the panels behind a list of tabs: elements with the role, or the children of the next box. */
function findPanels(list: Element): readonly Element[] {
  const behind: Element[] = [];
  for (let next = list.nextElementSibling; next; next = next.nextElementSibling) behind.push(next);
  const isPanel = (one: Element) => one.getAttribute('role') === 'tabpanel';
  const panels = behind.filter(isPanel);
  const [box] = behind;
  if (panels.length > 0 || !box) return panels;
  const inBox = [...box.children];
  return inBox.some(isPanel) ? inBox.filter(isPanel) : inBox;
}
