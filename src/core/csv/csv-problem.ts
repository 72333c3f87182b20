import { type AppError, type FieldCode, invalidField } from '../common/errors.js';

/** The error for an uploaded CSV file. `message` names the line. */
export function csvProblem(code: FieldCode, message: string): AppError {
  return invalidField('file', code, message);
}
