export const NEW_EMBED = 'new';
export function createDrafts() {
  return new Map();
}
