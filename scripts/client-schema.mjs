import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

/** The generated files of the client library, by the version they describe. */
export const CLIENT_SCHEMAS = {
  '1.0': 'src/client/schema.gen.ts',
  '2.0': 'src/client/schema-2.gen.ts',
};

const BLOB = ts.factory.createTypeReferenceNode('Blob');

/** The types of an OpenAPI description. */
export async function clientSchema(document) {
  const described = withoutExamples(JSON.parse(JSON.stringify(document)));
  const syntax = await openapiTS(described, {
    alphabetize: true,
    // A default makes a field optional in a request. In a response, `required` decides.
    defaultNonNullable: false,
    transform: ({ type, format }) => (type === 'string' && format === 'binary' ? BLOB : undefined),
  });
  return `// Written by npm run docs, from the OpenAPI description.\n${astToString(syntax)}`;
}

/** The events without their examples, which would be 140 KB of comments in the types of each version. */
function withoutExamples(document) {
  for (const { post } of Object.values(document.webhooks ?? {}))
    for (const content of Object.values(post?.requestBody?.content ?? {})) {
      delete content.example;
      delete content.examples;
    }
  return document;
}
