/** Gives each heading the rank below the one that it belongs to, so that no rank is left out below the title. */
export function rankHeadings(content: string): string {
  const ranks: number[] = [];
  const open: number[] = [];
  return content.replace(/<(\/?)h([2-6])(?=[ >])/g, (_, end: string, rank: string) => {
    if (end === '') {
      while ((ranks.at(-1) ?? 0) >= Number(rank)) ranks.pop();
      open.push(ranks.push(Number(rank)) + 1);
    }
    return `<${end}h${end === '' ? open.at(-1) : (open.pop() ?? rank)}`;
  });
}
