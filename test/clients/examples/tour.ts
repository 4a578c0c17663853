/** Where a client is sent, and with which token. */
export interface Service {
  readonly origin: string;
  readonly token: string;
}

/** What every client does: three creates, all pages of two, one update, one delete. */
export interface Tour {
  /** The ids that the pages showed, newest first. */
  readonly listed: readonly string[];
  readonly updated: { readonly id: string; readonly mode: string };
  readonly deleted: string;
}

export const PAGE_URL = 'https://example.com/Meal-Planner-95747105f402490eba51d52e00496c1c';
