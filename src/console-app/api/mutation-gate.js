export function createCalm() {
  const ends = new Map();
  let calm = Promise.resolve();
  return {
    begin(key) {
      const { promise, resolve } = Promise.withResolvers();
      ends.set(key, resolve);
      calm = Promise.all([calm, promise]);
    },
    end(key) {
      ends.get(key)?.();
      ends.delete(key);
    },
    come: () => calm,
  };
}
