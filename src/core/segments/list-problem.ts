import { type AppError, type FieldCode, invalidField } from '../errors.js';

/** What is wrong with the file of a list; `message` names the line. */
export function listProblem(code: FieldCode, message: string): AppError {
  return invalidField('file', code, message);
}
