import { readSettings } from '../../src/domain/embed/settings.ts';

/** The rules of a page without settings. */
export const NO_RULES = {
  settings: readSettings(null),
  accountSettings: null,
  expiresAtMs: null,
  isExpired: false,
};
