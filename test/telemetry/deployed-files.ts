import { readFileSync } from 'node:fs';

export const RULES = readFileSync('deploy/alerts.yml', 'utf8');
export const ALERT_TESTS = readFileSync('deploy/alerts.test.yml', 'utf8');
export const DASHBOARD = JSON.parse(readFileSync('deploy/grafana-dashboard.json', 'utf8')) as unknown;

/** Returns the texts of a member with this name anywhere in a JSON value. */
export function textsOf(value: unknown, name: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === name && typeof member === 'string' ? [member] : textsOf(member, name),
  );
}
