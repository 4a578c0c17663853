export function endEarly(): void;
export function endNoMore(): void;
