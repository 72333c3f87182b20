/** Checks that a bundled adapter does not pass yet, with the reason. The report names them; nothing else may fail. */
export const openViolations: Readonly<Record<string, Readonly<Record<number, string>>>> = {};
