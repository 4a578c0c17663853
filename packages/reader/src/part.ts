export { findPart, type Part } from './article/part/part.ts';
