import type { ListArguments } from '../api/cache.ts';
import type { Selection } from '../list/selection.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { BulkBar } from './bulk-bar.tsx';
import type { useBulkChange } from './use-bulk-change.ts';

export type ListCommands = Readonly<Record<'filter' | 'changeView' | 'clear' | 'export' | 'delete', () => void>>;

interface SelectionBarProps {
  readonly bulk: ReturnType<typeof useBulkChange>;
  readonly selection: Selection;
  readonly commands: ListCommands;
  /** The whole list, also what is not loaded. */
  readonly whole: { readonly list: ListArguments; readonly total: number };
  readonly shownCount: number;
  readonly canWrite: boolean;
  readonly isFiltered: boolean;
  readonly isTotalExact: boolean;
  readonly isDeletingAll: boolean;
  readonly onDeletingAll: (isDeletingAll: boolean) => void;
}

/** The actions for selected embeds, or for all that match. */
export function SelectionBar({
  bulk,
  selection,
  commands,
  whole,
  shownCount,
  onDeletingAll,
  ...props
}: SelectionBarProps) {
  return (
    <>
      <BulkBar
        count={selection.isWhole ? whole.total : selection.embeds.length}
        isWhole={selection.isWhole}
        isTotalExact={props.isTotalExact}
        total={whole.total}
        shownCount={shownCount}
        canWrite={props.canWrite}
        change={bulk.change}
        isRunning={bulk.isRunning}
        onSelectAll={selection.selectAll}
        onSelectWhole={selection.selectWhole}
        onClear={commands.clear}
        onSet={async (settings) => {
          const ids = selection.embeds.map(({ id }) => id);
          const rest = await bulk.apply(selection.isWhole ? whole : { ids }, settings, selection.embeds);
          if (!selection.isWhole) selection.set(rest);
        }}
        onStop={bulk.stop}
        onExport={commands.export}
        onDelete={commands.delete}
      />
      {props.isDeletingAll && (
        <ConfirmDialog
          heading={`Delete all ${whole.total.toLocaleString('en')} embeds${props.isFiltered ? ' that match' : ''}?`}
          text="Sites that show these embeds will show a notice in their place. The deletion begins after 10 seconds, in which you can undo it. Keep this tab open until it has ended."
          action="Delete all"
          onCancel={() => onDeletingAll(false)}
          onConfirm={() => {
            onDeletingAll(false);
            selection.clear();
            void bulk.removeAll(whole);
          }}
        />
      )}
    </>
  );
}
