export function addEarlyEnd(): void;
export function removeEarlyEnd(): void;
