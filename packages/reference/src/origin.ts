/** The address of the service in all examples. The page's script replaces it with the address of the page. */
export const EXAMPLE_ORIGIN = 'http://127.0.0.1:4000';
