export function endEarly(): void;
