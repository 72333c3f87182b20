import { type AppError, type FieldCode, invalidField } from '../common/errors.js';

/** What is wrong with an uploaded CSV file; `message` names the line. */
export function csvProblem(code: FieldCode, message: string): AppError {
  return invalidField('file', code, message);
}
