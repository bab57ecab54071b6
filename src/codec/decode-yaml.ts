import { isUtf8 } from 'node:buffer';
import { toUSVString } from 'node:util';
import {
  type Alias,
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../meta/json-value.ts';
import { decodeJson } from './decode-json.ts';
import { encodeJson } from './encode-json.ts';
import { JsonDecodeError } from './decode-error.ts';
import { formatPath, type ParsedJson } from './parse-json.ts';
import { depthLimit } from '../json/scan-json.ts';
import { resolvePlainScalar } from './resolve-plain-scalar.ts';

/**
 * Parsing this much YAML takes 0.2 seconds, about a hundred times as long as JSON. Servers parse
 * larger documents in a thread.
 */
const documentLimitBytes = 128 * 1024;

/**
 * The number of values that all aliases of a document may produce. A document of a few lines could
 * produce billions.
 */
const aliasLimit = 10_000;

/**
 * The number of characters of texts and keys that all aliases of a document may stand for: as many
 * as a body may have without aliases.
 */
const aliasedTextLimit = 3 * 1024 * 1024;

/** The maximum number of duplicate keys that are reported. */
const duplicateLimit = 100;

function refuse(why: string): never {
  throw new JsonDecodeError(`error converting YAML to JSON: yaml: ${why}`);
}

/** The state of parsing one document. */
interface Reading {
  readonly lines: LineCounter;
  readonly path: (string | number)[];
  readonly duplicates: Set<string>;
  /** The duplicate keys, as in `ParsedJson`. */
  readonly duplicateKeys: string[];
  /**
   * The latest node of each anchor. A node is added after it was read, so that it cannot refer to
   * itself.
   */
  readonly anchors: Map<string, Node>;
  /** The node that each alias refers to, for aliases that are read again inside another alias. */
  readonly targets: Map<Alias, Node>;
  /**
   * `repeated` counts the values created by aliases, `repeatedText` the characters of their texts
   * and keys; `aliases` is the number of enclosing aliases.
   */
  repeated: number;
  repeatedText: number;
  aliases: number;
}

function refuseAt({ lines }: Reading, node: Node, why: string): never {
  refuse(`line ${lines.linePos(node.range?.[0] ?? 0).line}: ${why}`);
}

/** The stack of the parser holds the document and a scalar in addition to the open collections. */
const stackLimit = depthLimit + 2;

/**
 * Tokenizes a text. Throws `JsonDecodeError` if it is too deep, because later steps recurse and
 * millions of levels take seconds.
 */
function tokensOf(text: string, lines: LineCounter): CST.Token[] {
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > stackLimit) throw new JsonDecodeError('exceeded max depth');
  }
  tokens.push(...parser.end());
  return tokens;
}

function parseDocument(text: string, lines: LineCounter): Document {
  const tokens = tokensOf(text, lines);
  // The failsafe schema reads every scalar as a string; `readScalar` resolves plain ones.
  const composer = new Composer({
    schema: 'failsafe',
    customTags: [binaryTag, ...Object.keys(tagChecks)].map((tag) => ({ tag, resolve: (scalar: string) => scalar })),
    uniqueKeys: false,
    merge: false,
    strict: true,
    prettyErrors: false,
  });
  const documents = [...composer.compose(tokens, true, text.length)];
  const [document, ...others] = documents;
  if (!document || others.length > 0) refuse('expected a single document');
  return document;
}

function checkDocument(document: Document, lines: LineCounter): void {
  const [problem] = [...document.errors, ...document.warnings];
  if (problem) refuse(`line ${lines.linePos(problem.pos[0]).line}: ${problem.message.split('\n', 1)[0]}`);
}

const stringTag = 'tag:yaml.org,2002:str';
const binaryTag = 'tag:yaml.org,2002:binary';

/** Tags that are allowed on a scalar if they match the type that it has without them. */
const tagChecks: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  'tag:yaml.org,2002:null': (value) => value === null,
  'tag:yaml.org,2002:bool': (value) => typeof value === 'boolean',
  'tag:yaml.org,2002:int': (value) => typeof value === 'bigint' || Number.isInteger(value),
  'tag:yaml.org,2002:float': (value) => typeof value === 'number',
};

/** Counts a text that an alias stands for, before it is copied. */
function chargeText(reading: Reading, text: string): void {
  reading.repeatedText += text.length;
  if (reading.repeatedText > aliasedTextLimit) {
    refuse(`document contains excessive aliasing: aliases may stand for at most ${aliasedTextLimit} characters`);
  }
}

function readScalar(reading: Reading, scalar: Scalar): JsonValue {
  const text = typeof scalar.value === 'string' ? scalar.value : '';
  if (reading.aliases > 0) chargeText(reading, text);
  const { tag } = scalar;
  if (tag === stringTag || tag === '!' || (tag === undefined && scalar.type !== 'PLAIN')) return toUSVString(text);
  if (tag === binaryTag) return decodeBinary(text);
  const value = resolvePlainScalar(text);
  if (value === undefined) refuseAt(reading, scalar, `${text.slice(0, 40)} is no JSON number`);
  if (tag !== undefined && !tagChecks[tag]?.(value)) refuseAt(reading, scalar, `cannot use the tag ${tag} here`);
  return value;
}

/** The text that base64 stands for; bytes that are not UTF-8 become U+FFFD, as in Go. */
function decodeBinary(base64: string): string {
  const text = base64.replaceAll(/[\r\n]/g, '');
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) {
    refuse('!!binary value contains invalid base64 data');
  }
  return Buffer.from(text, 'base64').toString('utf8');
}

function targetOf(reading: Reading, alias: Alias): Node {
  const target = reading.targets.get(alias) ?? reading.anchors.get(alias.source);
  if (!target) refuseAt(reading, alias, `unknown anchor '${alias.source.slice(0, 40)}' referenced`);
  reading.targets.set(alias, target);
  return target;
}

function readAlias(reading: Reading, alias: Alias): JsonValue {
  const target = targetOf(reading, alias);
  reading.aliases++;
  const value = readNode(reading, target);
  reading.aliases--;
  return value;
}

/** Reads a key of a mapping. JSON keys are strings, so a number or a boolean is written as JSON. */
function readKey(reading: Reading, key: unknown, map: YAMLMap): string {
  if (isAlias(key)) {
    const target = targetOf(reading, key);
    if (isScalar(target) && typeof target.value === 'string') chargeText(reading, target.value);
    return readKey(reading, target, map);
  }
  if (!isScalar(key)) refuseAt(reading, map, 'a key must be a string, a number or a boolean');
  remember(reading, key);
  const value = readScalar(reading, key);
  return typeof value === 'string' ? value : encodeJson(value);
}

/** True for the merge key `<<`. */
function isMerge(key: unknown): boolean {
  return isScalar(key) && key.type === 'PLAIN' && key.value === '<<' && key.tag === undefined;
}

/** Applies a merge key: copies the keys that the mapping does not have. */
function mergeInto(reading: Reading, object: JsonObject, map: YAMLMap, node: unknown): void {
  const value = readNode(reading, node);
  const sources = Array.isArray(value) ? value : [value];
  for (const source of sources) {
    if (!isJsonObject(source)) refuseAt(reading, map, 'map merge requires map or sequence of maps as the value');
    for (const [key, item] of Object.entries(source)) if (!Object.hasOwn(object, key)) setOwn(object, key, item);
  }
}

function startOf(key: unknown): number {
  return isNode(key) ? (key.range?.[0] ?? 0) : 0;
}

function readMap(reading: Reading, map: YAMLMap): JsonObject {
  const object: JsonObject = {};
  for (const pair of map.items) {
    if (isMerge(pair.key)) continue;
    const key = readKey(reading, pair.key, map);
    reading.path.push(key);
    if (Object.hasOwn(object, key) && reading.duplicateKeys.length < duplicateLimit) {
      reading.duplicates.add(formatPath(reading.path));
      const { line } = reading.lines.linePos(startOf(pair.key));
      reading.duplicateKeys.push(`line ${line}: key ${JSON.stringify(key)} already set in map`);
    }
    setOwn(object, key, readNode(reading, pair.value));
    reading.path.pop();
  }
  for (const pair of map.items) if (isMerge(pair.key)) mergeInto(reading, object, map, pair.value);
  return object;
}

function readSequence(reading: Reading, items: readonly unknown[]): JsonValue[] {
  return items.map((item, index) => {
    reading.path.push(index);
    const value = readNode(reading, item);
    reading.path.pop();
    return value;
  });
}

function remember({ anchors, aliases }: Reading, node: Node): void {
  if (aliases === 0 && !isAlias(node) && node.anchor !== undefined) anchors.set(node.anchor, node);
}

function readNode(reading: Reading, node: unknown): JsonValue {
  if (reading.aliases > 0 && ++reading.repeated > aliasLimit) refuse('document contains excessive aliasing');
  if (reading.path.length + reading.aliases > depthLimit) throw new JsonDecodeError('exceeded max depth');
  if (!isNode(node)) return null;
  const value = readKind(reading, node);
  remember(reading, node);
  return value;
}

function readKind(reading: Reading, node: Node): JsonValue {
  if (isAlias(node)) return readAlias(reading, node);
  if (isScalar(node)) return readScalar(reading, node);
  if (isMap(node)) return readMap(reading, checkTag(reading, node, 'map'));
  if (isSeq(node)) return readSequence(reading, checkTag(reading, node, 'seq').items);
  return null;
}

/**
 * Returns the node if its tag is the expected one. Throws `JsonDecodeError` for sets, ordered maps
 * and application-specific tags, which JSON cannot express.
 */
function checkTag<T extends Node>(reading: Reading, node: T, name: string): T {
  if (node.tag === undefined || node.tag === `tag:yaml.org,2002:${name}`) return node;
  return refuseAt(reading, node, `cannot use the tag ${node.tag} here`);
}

/**
 * Parses a document as JSON; undefined if it is not JSON. Most documents sent as YAML are JSON
 * written by programs.
 */
function decodeAsJson(bytes: Buffer): ParsedJson | undefined {
  if (bytes[0] !== 0x7b) return undefined;
  try {
    return decodeJson(bytes, { duplicates: true });
  } catch (error) {
    if (error instanceof JsonDecodeError) return undefined;
    throw error;
  }
}

/**
 * Parses one YAML document to the JSON value that Kubernetes clients convert it to. JSON is
 * accepted too, of any size. Throws `JsonDecodeError`, also for several documents in one text, for
 * tags that JSON cannot express, for excessive aliasing, and for YAML of more than `limitBytes`.
 */
export function decodeYaml(bytes: Buffer, limitBytes: number = documentLimitBytes): ParsedJson {
  const json = decodeAsJson(bytes);
  if (json) return json;
  if (bytes.length > limitBytes) refuse(`document must have at most ${limitBytes} bytes`);
  if (!isUtf8(bytes)) refuse('invalid UTF-8');
  const lines = new LineCounter();
  const document = parseDocument(bytes.toString('utf8'), lines);
  checkDocument(document, lines);
  const reading = {
    lines,
    path: [],
    duplicates: new Set<string>(),
    duplicateKeys: [],
    anchors: new Map(),
    targets: new Map(),
    repeated: 0,
    repeatedText: 0,
    aliases: 0,
  };
  const value = readNode(reading, document.contents);
  const { duplicates, duplicateKeys } = reading;
  return { value, duplicateFields: [...duplicates], ...(duplicateKeys.length > 0 ? { duplicateKeys } : {}) };
}
