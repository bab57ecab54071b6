/** A rule for names: returns error messages, none if the name is valid. */
export type NameRule = (text: string) => readonly string[];

/** Patterns are not run on longer texts, which exceed every length limit anyway. */
const patternLimit = 16_384;

interface Format {
  /** The pattern as shown in messages. */
  readonly pattern: string;
  readonly message: string;
  readonly examples: readonly string[];
}

/** The message for a text that does not match, with valid examples. */
function patternMessage({ pattern, message, examples }: Format): string {
  const list = examples.map((example) => `'${example}', `).join(' or ');
  return `${message} (e.g. ${list}regex used for validation is '${pattern}')`;
}

interface CompiledFormat {
  readonly matches: (text: string) => boolean;
  readonly message: string;
}

/**
 * The patterns must be linear in a backtracking engine: no two adjacent parts may match the same
 * text.
 */
function compile(format: Format): CompiledFormat {
  const expression = new RegExp(`^(?:${format.pattern})$`);
  return {
    matches: (text) => text.length <= patternLimit && expression.test(text),
    message: patternMessage(format),
  };
}

function lengthMessage(limit: number): string {
  return `must be no more than ${limit} characters`;
}

/** The limit is in bytes; a UTF-16 code unit has at most three. */
function isTooLong(text: string, limit: number): boolean {
  return text.length * 3 > limit && Buffer.byteLength(text) > limit;
}

/** The result for a valid name. */
export const nothingWrong: readonly string[] = Object.freeze([]);

function ruleOf(format: CompiledFormat, limit: number): NameRule {
  return (text) => {
    const matches = format.matches(text);
    if (!isTooLong(text, limit)) return matches ? nothingWrong : [format.message];
    return matches ? [lengthMessage(limit)] : [lengthMessage(limit), format.message];
  };
}

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = `${label}(\\.${label})*`;
const qualified = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const qualifiedMessage =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

const labelFormat = compile({
  pattern: label,
  message:
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  examples: ['my-name', '123-abc'],
});

const subdomainFormat = compile({
  pattern: subdomain,
  message:
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  examples: ['example.com'],
});

const wildcardFormat = compile({
  pattern: `\\*\\.${subdomain}`,
  message:
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  examples: ['*.example.com'],
});

const dns1035Format = compile({
  pattern: '[a-z]([-a-z0-9]*[a-z0-9])?',
  message:
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  examples: ['my-name', 'abc-123'],
});

const qualifiedFormat = compile({
  pattern: qualified,
  message: qualifiedMessage,
  examples: ['MyName', 'my.name', '123-abc'],
});

const labelValueFormat = compile({
  pattern: `(${qualified})?`,
  message:
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  examples: ['MyValue', 'my_value', '12345'],
});

const configKeyFormat = compile({
  pattern: '[-._a-zA-Z0-9]+',
  message: "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  examples: ['key.name', 'KEY_NAME', 'key-name'],
});

const labelLimit = 63;
const subdomainLimit = 253;

/** Validates a DNS label (RFC 1123), as namespaces are named. */
export const validateDnsLabel: NameRule = ruleOf(labelFormat, labelLimit);

/** Validates a DNS subdomain (RFC 1123), as most objects are named. */
export const validateDnsSubdomain: NameRule = ruleOf(subdomainFormat, subdomainLimit);

/** Validates a DNS label that starts with a letter (RFC 1035), as Services are named. */
export const validateDns1035Label: NameRule = ruleOf(dns1035Format, labelLimit);

/** Validates a DNS subdomain whose first label is `*`. */
export const validateWildcardDnsSubdomain: NameRule = ruleOf(wildcardFormat, subdomainLimit);

/** Validates the value of a label: empty, or at most 63 characters. */
export const validateLabelValue: NameRule = ruleOf(labelValueFormat, labelLimit);

/**
 * Validates a name that must fit in one segment of a URL path, as roles are named. `isBase`: the
 * text is the base of a generated name.
 */
export function validatePathSegment(text: string, isBase = false): readonly string[] {
  if (!isBase && (text === '.' || text === '..')) return [`may not be '${text}'`];
  return validatePathSegmentBase(text);
}

/** The same rule for kinds that apply it unchanged to the base of a generated name. */
export function validateWholePathSegment(text: string): readonly string[] {
  return validatePathSegment(text);
}

/** Validates the base of such a name. */
function validatePathSegmentBase(text: string): readonly string[] {
  return ['/', '%']
    .filter((character) => text.includes(character))
    .map((character) => `may not contain '${character}'`);
}

function validatePrefix(prefix: string): readonly string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  const messages = validateDnsSubdomain(prefix);
  return messages.length === 0 ? nothingWrong : messages.map((message) => `prefix part ${message}`);
}

/**
 * Validates a name with an optional DNS subdomain before a slash: keys of labels and annotations,
 * finalizers.
 */
export function validateQualifiedName(text: string): readonly string[] {
  const slash = text.indexOf('/');
  const name = text.slice(slash + 1);
  if (name.includes('/')) {
    const message = `a qualified name ${qualifiedFormat.message}`;
    return [`${message} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const prefixErrors = slash < 0 ? nothingWrong : validatePrefix(text.slice(0, slash));
  if (prefixErrors.length === 0 && qualifiedFormat.matches(name) && !isTooLong(name, labelLimit)) return nothingWrong;
  const errors = [...prefixErrors];
  if (name === '') errors.push('name part must be non-empty');
  else if (isTooLong(name, labelLimit)) errors.push(`name part ${lengthMessage(labelLimit)}`);
  if (!qualifiedFormat.matches(name)) errors.push(`name part ${qualifiedFormat.message}`);
  return errors;
}

const validateConfigKeyForm: NameRule = ruleOf(configKeyFormat, subdomainLimit);

/** Validates a key in the data of a ConfigMap or Secret, which can become a file name. */
export function validateConfigKey(text: string): readonly string[] {
  const form = validateConfigKeyForm(text);
  if (form.length === 0 && !text.startsWith('.')) return nothingWrong;
  const errors = [...form];
  if (text === '.' || text === '..') errors.push(`must not be '${text}'`);
  else if (text.startsWith('..')) errors.push("must not start with '..'");
  return errors;
}

const variableName = '[-._a-zA-Z][-._a-zA-Z0-9]*';
const variablePattern = new RegExp(`^${variableName}$`);

/** Validates the name of an environment variable. */
export function validateVariableName(name: string): readonly string[] {
  if (!variablePattern.test(name)) {
    return [
      "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must " +
        "not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', " +
        `regex used for validation is '${variableName}')`,
    ];
  }
  if (name === '.') return ["must not be '.'"];
  if (name === '..') return ["must not be '..'"];
  return name.startsWith('..') ? ["must not start with '..'"] : nothingWrong;
}

const portNameLimit = 15;

/** Validates a port name (RFC 6335): at most 15 characters, at least one letter. */
export function validatePortName(text: string): readonly string[] {
  if (!portNameRules.some(([isBroken]) => isBroken(text))) return nothingWrong;
  return portNameRules.filter(([isBroken]) => isBroken(text)).map(([, message]) => message);
}

const portNameRules: readonly (readonly [isBroken: (text: string) => boolean, message: string])[] = [
  [(text) => isTooLong(text, portNameLimit), lengthMessage(portNameLimit)],
  [(text) => !/^[-a-z0-9]+$/.test(text), 'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)'],
  [(text) => !/[a-z]/.test(text), 'must contain at least one letter or number (a-z, 0-9)'],
  [(text) => text.includes('--'), 'must not contain consecutive hyphens'],
  [(text) => text.startsWith('-') || text.endsWith('-'), 'must not begin or end with a hyphen'],
];

/**
 * Applies a rule to the base of a generated name. The base may end with a dash, because a suffix
 * follows.
 */
export function validateNameBase(rule: NameRule, base: string): readonly string[] {
  return rule(base.endsWith('-') && base.length > 1 ? `${base.slice(0, -1)}a` : base);
}

/** A name of two parts, such as `acme.io/foo`. */
interface DomainPrefixedPath {
  readonly domain: string;
  readonly path: string;
}

/** The parts of a domain-prefixed path, which may be invalid; undefined if one is missing. */
export function splitDomainPrefixedPath(name: string): DomainPrefixedPath | undefined {
  const slash = name.indexOf('/');
  const [domain, path] = [name.slice(0, slash), name.slice(slash + 1)];
  return slash <= 0 || path === '' ? undefined : { domain, path };
}

/** The message about a name without a domain or without a path. */
export const domainPathMessage = 'must be a domain-prefixed path (such as "acme.io/foo")';

/** The characters that a path may have (RFC 3986). */
const pathPattern = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;

/** Checks the path after the domain of a domain-prefixed path. */
export function validateUrlPath(path: string): readonly string[] {
  if (pathPattern.test(path)) return [];
  return [`Invalid path (regex used for validation is '${pathPattern.source.slice(1, -1)}')`];
}
