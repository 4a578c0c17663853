import { hash } from 'node:crypto';

/** A strong entity tag (RFC 9110 section 8.8.3) of a representation. */
export function etagOf(representation: string): string {
  return `"${hash('sha256', representation, 'base64url').slice(0, 27)}"`;
}

/** Whether `If-None-Match` names the tag; weak comparison (RFC 9110 section 13.1.2). */
export function matchesWeakly(condition: string, etag: string): boolean {
  return condition.trim() === '*' || listed(condition).some((tag) => tag.replace(/^W\//, '') === etag);
}

/** Whether `If-Match` names the tag; strong comparison (RFC 9110 section 13.1.1). */
export function matchesStrongly(condition: string, etag: string): boolean {
  return condition.trim() === '*' || listed(condition).includes(etag);
}

function listed(condition: string): readonly string[] {
  return condition.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
