/*
 * Lets readers sort, search, filter and download long tables. Without JavaScript all is as in the source. Rows that share a cell
 * stay together, and rows with a cell over several columns in their order.
 */
(() => {
  const BLANK = /^(?:[-–—?.…]|n\/?a|null)?$/i;
  const NUMBER =
    /^(?:\p{L}{2,3}[.\s]\s*|\p{L}{1,3}(?=\p{Sc}))?[\p{Sc}~≈<>≤≥]?\s*([-+−–]?)\s*\p{Sc}?\s*(\d[\d.,'’\s]*|[.,]\d+)\s*(?:[%‰\p{Sc}]|[\p{L}°µ/²³]{1,6})?(?:\s*\[\d+\])*$/u;
  const YEAR_FIRST = /^(\d{4})\s*[-/.年]\s*(\d{1,2})(?:\s*[-/.月]\s*(\d{1,2})日?)?(?![^T\s])/;
  const YEAR_LAST = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4}|(?<=\d\d\D\d\d\D)\d\d)(?!\S)/;
  const template = document.querySelector('.table-tools');

  const textOf = (cell) => (cell?.textContent ?? '').replace(/\s+/g, ' ').trim();

  /* Digits of Arabic and Persian as those of ASCII. */
  const toDigits = (text) =>
    text
      .replace(/[٠-٩۰-۹]/g, (digit) => digit.charCodeAt() & 15)
      .replaceAll('٫', '.')
      .replaceAll('٬', ',');

  /* Returns how to read the numbers of a column. A sign before three digits, of which there is one, may be either. */
  const numberReader = (texts, lang) => {
    /* Values in several units cannot be compared, nor thousands with ones. */
    const numbers = texts.filter((text) => NUMBER.test(text));
    const units = [...new Set(numbers.map((text) => text.replace(/[^\p{L}\p{Sc}]/gu, '')))];
    if (units.length > 1 + (units.includes('') && !/\b[kKM]\b/.test(units))) return () => NaN;
    const parts = numbers.map((text) => NUMBER.exec(text)[2].trim());
    const isDecimal = (sign) =>
      parts.some((part) => {
        const [whole, fraction, ...more] = part.split(sign);
        return !more.length && /^\d*$/.test(fraction) && (fraction.length !== 3 || /\D|^0$/.test(whole));
      });
    const signs = [',', '.'].filter(isDecimal);
    const decimal = signs.length === 1 ? signs[0] : toDigits((1.5).toLocaleString(lang))[1];
    return (text) => {
      const [, sign, digits = '?'] = NUMBER.exec(text) ?? [];
      const [whole, fraction = '', ...more] = digits.trim().split(decimal);
      if (more.length || /\D/.test(fraction) || !/^\d*$|^\d{1,3}(?:[.,'’\s]\d{2,3})+$/.test(whole)) return NaN;
      return Number(`${sign.replace(/[^+]/, '-')}${whole.replace(/\D/g, '')}.${fraction}`);
    };
  };

  const dateReader = (texts, lang) => {
    const isMonthFirst =
      texts.some((text) => YEAR_LAST.exec(text)?.[2] > 12) ||
      (new Date(2001, 11, 30).toLocaleDateString(lang).startsWith('12') &&
        !texts.some((text) => YEAR_LAST.exec(text)?.[1] > 12));
    /* Alone and beside a day: some languages have two forms. */
    const months = [...Array(36).keys()].map((i) =>
      new Date(2001, i)
        .toLocaleDateString(i < 24 ? lang : 'en', { day: i < 12 ? undefined : 'numeric', month: 'long' })
        .toLowerCase(),
    );
    const dateOf = (year, month, day) => (month < 13 && day < 32 ? Date.UTC(year, month - 1, day) : NaN);
    const dayOf = (text) => {
      const [, year, month, day = 1] = YEAR_FIRST.exec(text) ?? [];
      if (year) return dateOf(year, month, day);
      const [, first, second, digits] = YEAR_LAST.exec(text) ?? [];
      /* Two digits from 50 on are years of the last century, as in `Date.UTC`. */
      const last = digits < 50 ? `20${digits}` : digits;
      if (last) return isMonthFirst ? dateOf(last, first, second) : dateOf(last, second, first);
      const words = text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
      const at = words
        .map((word) => months.findIndex((name) => ` ${name}`.includes(` ${word}`)))
        .findLast((i) => i >= 0);
      const named = /\b\d{4}\b/.exec(text) ?? NaN;
      return words.length < 4 ? dateOf(named, (at % 12) + 1, /\b\d{1,2}(?!\d)/.exec(text) ?? 1) : NaN;
    };
    return (text) => {
      const [time] = /\d+(:\d\d)+( ?[ap]\.?m\b)?/i.exec(text) ?? ['0:00'];
      return dayOf(text) + Date.parse(`1/1/1970 ${time.replace(/([ap])\.?/i, ' $1')} UTC`);
    };
  };

  /* Returns the type of a column, and its values in the order of the rows; NaN without a value. */
  const readColumn = (texts, lang) => {
    const numbers = texts.map(toDigits);
    const filled = numbers.filter((text) => !BLANK.test(text));
    for (const type of ['date', 'number']) {
      const read = (type === 'date' ? dateReader : numberReader)(filled, lang);
      const values = numbers.map(read);
      const { length } = values.filter(Number.isFinite);
      if (length && length >= filled.length * 0.9) return { type, texts, values };
    }
    return { type: 'text', texts, values: texts.map((text) => (BLANK.test(text) ? NaN : text)) };
  };

  /* A spreadsheet would run a cell that begins like a formula. */
  const csvOf = (text) => `"${text.replaceAll('"', '""').replace(/^(?![-+]?[\d.,% ]+$)[=+@-]/, "'$&")}"`;

  const enhance = (box, table) => {
    const rows = [...table.rows].filter((row) => row.parentNode !== table.tFoot);
    const width = Math.max(...rows.map((row) => row.cells.length));
    /* The cells by row and column. A merged cell is in all its rows, up to the end of their part of the table, and columns. */
    const grid = rows.map(() => Array(width));
    rows.forEach((row, y) => {
      let x = 0;
      for (const cell of row.cells) {
        while (grid[y][x]) x++;
        for (let i = y; i < y + (cell.rowSpan || 1e4) && row.parentNode.contains(rows[i]); i++) {
          grid[i][x] = cell;
          grid[i].fill(cell, x, x + cell.colSpan);
        }
      }
    });
    /* Returns whether a row shares a cell with the row before it. */
    const isShared = (y) => grid[y]?.some((cell, i) => cell === grid[y - 1]?.[i]);
    let count = table.tHead?.rows.length || 1;
    while (isShared(count)) count++;
    rows.splice(0, count);
    const headers = grid.splice(0, count);
    const head = headers.at(-1);
    /* A cell over more than two columns, or over both, is a title. */
    if (rows.length < 9 || head.some((cell) => cell.colSpan > 1 + (width > 2) || (cell.matches('td') && textOf(cell))))
      return;
    const { lang } = box.closest('[lang]');
    /* The words of all headers of a column but titles, and its number if it has none, or if a column before it has the same. */
    const names = [];
    head.forEach((_, i) => {
      const words = headers.map((line) => (width < 2 || line[i]?.colSpan < width ? textOf(line[i]) : ''));
      const name = [...new Set(words)].join(' ').trim();
      names[i] = name && !names.includes(name) ? name : `${name} ${i + 1}`.trim();
    });
    const cells = grid.map((line) => Array.from(line, textOf));
    const columns = head.map((_, i) =>
      readColumn(
        cells.map((line) => line[i]),
        lang,
      ),
    );
    const { compare } = new Intl.Collator(lang, { numeric: true });
    /* What the reader has chosen stays when an update has replaced the table. */
    const last = box.previousElementSibling;
    const tools = last?.matches('.table-tools') ? last : template.cloneNode(true);
    const [search, choice, one, from, to, status] = tools.querySelectorAll('input, select, output');
    const chosen = [one, from, to].map(({ value }) => value);
    const filtered = choice.selectedOptions[0].text;
    choice.length = 1;
    /* Rows that share a cell, by their numbers. */
    const order = [];
    rows.forEach((_, i) => {
      if (!isShared(i)) order.push([]);
      order.at(-1).push(i);
    });

    const isShown = (i) => {
      const { type, texts, values } = columns[choice.value] ?? {};
      const [least, most] = [from, to].map(({ valueAsNumber }) => valueAsNumber);
      return (
        cells[i].join(' ').toLowerCase().includes(search.value.trim().toLowerCase()) &&
        (!one.value || texts[i] === one.value) &&
        (Number.isNaN(least) || values[i] >= least) &&
        (Number.isNaN(most) || values[i] <= most + (type === 'date' && 864e5 - 1))
      );
    };

    const show = () => {
      for (const group of order) for (const i of group) rows[i].hidden = !group.some(isShown);
      const format = ({ length }) => length.toLocaleString(tools.lang || lang);
      status.textContent = status.dataset.rows
        .replace('%1', format(rows.filter((row) => !row.hidden)))
        .replace('%2', format(rows));
    };

    const sort = (i, factor) => {
      if (!head[i]?.ariaSort) return;
      const { type, values } = columns[i];
      for (const cell of head) if (cell?.ariaSort) cell.ariaSort = 'none';
      head[i].ariaSort = factor < 0 ? 'descending' : 'ascending';
      tools.sort = [names[i], factor];
      order.sort(
        ([a], [b]) =>
          Number.isNaN(values[a]) - Number.isNaN(values[b]) ||
          factor * (type === 'text' ? compare(values[a], values[b]) : values[a] - values[b]),
      );
      table.tBodies[0].append(...order.flat().map((i) => rows[i]));
    };

    columns.forEach(({ type, texts }, i) => {
      const cell = head[i];
      for (const line of [head, ...grid]) if (line[i]?.colSpan < 2) line[i].classList.add(type);
      const { size } = new Set(texts);
      if (type !== 'text' || (size > 1 && size < 40)) choice.add(new Option(names[i], i, false, names[i] === filtered));
      if (cell.matches('td') || [cell, ...grid.flat()].some(({ colSpan }) => colSpan > 1)) return;
      const button = document.createElement('button');
      button.ariaLabel = names[i];
      if (!cell.querySelector('a, input')) button.append(...cell.childNodes);
      cell.append(' ', button);
      cell.ariaSort = 'none';
      button.onclick = () => sort(i, cell.ariaSort === 'ascending' ? -1 : 1);
    });

    choice.oninput = () => {
      const { type, texts } = columns[choice.value] ?? {};
      one.parentNode.hidden = type !== 'text';
      for (const input of [from, to]) {
        input.type = type;
        input.value = '';
        input.parentNode.hidden = input.type === 'text';
      }
      one.length = 1;
      if (type === 'text') for (const text of [...new Set(texts)].sort(compare)) if (text) one.add(new Option(text));
    };
    choice.parentNode.hidden = choice.length < 2;
    tools.oninput = show;
    tools.querySelector('button').onclick = () => {
      const shown = order.flat().filter((i) => !rows[i].hidden);
      const lines = [names, ...shown.map((i) => cells[i])].map((line) => `${line.map(csvOf)}\r\n`);
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob(['\ufeff', ...lines], { type: 'text/csv' }));
      link.download = `${document.title}.csv`;
      link.click();
    };
    choice.oninput();
    [one.value, from.value, to.value] = chosen;
    /* An update may have removed the value. */
    one.value ||= '';
    sort(names.indexOf(tools.sort?.[0]), tools.sort?.[1]);
    show();
    box.before(tools);
    box.classList.add('live');
  };

  const enhanceAll = () => {
    for (const box of document.querySelectorAll('.embed-table:not(.infobox, .live, :has(table table))'))
      enhance(box, box.querySelector('table'));
  };
  template.remove();
  enhanceAll();
  document.addEventListener('updated', enhanceAll);
})();
