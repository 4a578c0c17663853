import { type ExecutionResult, GraphQLError } from 'graphql';

type Show = (result: ExecutionResult) => string;

/** The results of a subscription as texts. Where it fails, the last one says why. */
export function textsOf(results: AsyncIterator<ExecutionResult>, show: Show): AsyncIterator<string> {
  let hasFailed = false;
  return {
    async next() {
      if (hasFailed) return { done: true, value: undefined };
      try {
        const { done, value } = await results.next();
        return done ? { done, value: undefined } : { value: show(value) };
      } catch (error) {
        hasFailed = true;
        return { value: show(failureOf(error)) };
      }
    },
    async return() {
      await results.return?.();
      return { done: true, value: undefined };
    },
  };
}

/** The result that an error which ends a subscription is shown as. */
export function failureOf(error: unknown): ExecutionResult {
  const originalError = error instanceof Error ? error : new Error(String(error));
  return { errors: [new GraphQLError(originalError.message, { originalError })] };
}
