// Fails for a regular expression in the sources whose running time grows faster than its input. `npm run check:regexps`.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { check } from 'recheck';
import ts from 'typescript';

/** An expression whose check takes longer has no verdict and must be simplified. */
const TIMEOUT_MS = 60_000;
const AT_ONCE = 2;
/** Verdicts of previous runs, by expression and version of the checker. */
const CACHE = 'node_modules/.cache/trunkline/regexps.json';

const { version } = createRequire(import.meta.url)('recheck/package.json');

/** The literal expressions in one file, and the places of those that are built at run time. */
function expressionsOf(fileName, text) {
  const file = ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true);
  const found = { expressions: [], unknown: [] };
  const at = (node) => `${fileName}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
  const visit = (node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.expressions.push({
        where: at(node),
        pattern: node.text.slice(1, end),
        flags: node.text.slice(end + 1),
      });
    } else if (isConstructor(node)) {
      const [pattern, flags] = (node.arguments ?? []).map(literalOf);
      const isKnown = pattern !== undefined && (node.arguments.length === 1 || flags !== undefined);
      if (isKnown) found.expressions.push({ where: at(node), pattern, flags: flags ?? '' });
      else if (!isWaived(file, node)) found.unknown.push(at(node));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function isConstructor(node) {
  return (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp';
}

function literalOf(node) {
  return ts.isStringLiteralLike(node) ? node.text : undefined;
}

/** Whether the line before has `// regexp: <what limits its running time>`. */
function isWaived(file, node) {
  const { line } = file.getLineAndCharacterOfPosition(node.getStart());
  return line > 0 && /^\s*\/\/ regexp: \S/.test(file.text.split('\n')[line - 1]);
}

function sources(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : sources(path);
    return /\.(?:ts|js|mjs)$/.test(entry.name) && !entry.name.endsWith('.gen.ts') ? [path] : [];
  });
}

function readCache(cache) {
  try {
    return JSON.parse(readFileSync(cache, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return {};
    throw error;
  }
}

async function verdictOf({ pattern, flags }) {
  const { status, complexity, error } = await check(pattern, flags, { timeout: TIMEOUT_MS });
  if (status === 'safe') return 'safe';
  return status === 'vulnerable' ? complexity.summary : `not decided (${error.kind})`;
}

/** The same for all files below `src`, `adapters` and `packages`. */
function read(root) {
  const folders = ['src', 'adapters', 'packages'].filter((folder) => existsSync(join(root, folder)));
  const files = folders.flatMap((folder) => sources(join(root, folder)));
  const found = files.map((file) => expressionsOf(relative(root, file), readFileSync(file, 'utf8')));
  return {
    expressions: found.flatMap((one) => one.expressions.map((each) => ({ ...each, key: keyOf(each) }))),
    unknown: found.flatMap((one) => one.unknown),
  };
}

function keyOf({ pattern, flags }) {
  return createHash('sha256').update(`${version}/${pattern}/${flags}`).digest('base64');
}

/** Verdicts by key, from the cache if it has them. */
async function judge(expressions, cache) {
  const known = readCache(cache);
  const verdicts = new Map();
  const open = new Map();
  for (const one of expressions) {
    if (known[one.key] === undefined) open.set(one.key, one);
    else verdicts.set(one.key, known[one.key]);
  }
  const waiting = [...open.values()];
  const work = async () => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      verdicts.set(one.key, await verdictOf(one));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  // The checker confirms an attack by its running time, so on a busy machine it can refuse a linear expression. Each refused
  // expression is therefore checked again, alone, and refusals are not cached.
  const refused = [...open.values()].filter(({ key }) => verdicts.get(key) !== 'safe');
  for (const one of refused) verdicts.set(one.key, await verdictOf(one));
  mkdirSync(dirname(cache), { recursive: true });
  const safe = [...verdicts].filter(([, verdict]) => verdict === 'safe');
  writeFileSync(cache, JSON.stringify(Object.fromEntries(safe)));
  return verdicts;
}

async function main(root) {
  const { expressions, unknown } = read(root);
  const verdicts = await judge(expressions, join(root, CACHE));
  const slow = expressions.filter(({ key }) => verdicts.get(key) !== 'safe');
  for (const { where, pattern, flags, key } of slow) {
    console.error(`${where}: ${verdicts.get(key)}: /${pattern}/${flags}`);
  }
  for (const where of unknown) {
    console.error(
      `${where}: built at run time. State on the line before, in "// regexp: …", what limits its time.`,
    );
  }
  const refused = slow.length + unknown.length;
  console.log(`${expressions.length} regular expressions, ${refused} refused.`);
  return refused === 0;
}

process.exit((await main(process.argv[2] ?? '.')) ? 0 : 1);
