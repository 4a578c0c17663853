/** The service that a client uses. */
export interface Service {
  readonly origin: string;
  readonly token: string;
}

/** Result of a tour: three creates, all pages of two embeds, one update, one delete. */
export interface Tour {
  /** Ids in the order of the pages, newest first. */
  readonly listed: readonly string[];
  readonly updated: { readonly id: string; readonly mode: string };
  readonly deleted: string;
}

export const PAGE_URL = 'https://example.com/Meal-Planner-95747105f402490eba51d52e00496c1c';
