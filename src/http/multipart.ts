const TYPE = /^multipart\/form-data\s*;/i;

export function isMultipart(contentType: string | undefined): contentType is string {
  return contentType !== undefined && TYPE.test(contentType);
}
