import { libraryTypes } from '../../identifiers/expression-types.ts';
import { parseInstant } from '../../meta/time.ts';
import {
  type NameRule,
  validateDns1035Label,
  validateDnsLabel,
  validateDnsSubdomain,
  validateLabelValue,
  validateNameBase,
  validateQualifiedName,
} from '../../meta/validate-name.ts';
import { type CelValue, listFrom, Opaque, Optional } from '../values/cel-value.ts';
import type { Library } from './library.ts';

/** A rule that says one thing if a text does not meet it. */
function ruleOf(isMet: (text: string) => boolean, message: string): NameRule {
  return (text) => (isMet(text) ? [] : [message]);
}

function prefixOf(rule: NameRule): NameRule {
  return (text) => validateNameBase(rule, text);
}

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The formats, by the names that functions have. */
const formats: readonly (readonly [name: string, rule: NameRule])[] = [
  ['dns1123Label', validateDnsLabel],
  ['dns1123Subdomain', validateDnsSubdomain],
  ['dns1035Label', validateDns1035Label],
  ['qualifiedName', validateQualifiedName],
  ['dns1123LabelPrefix', prefixOf(validateDnsLabel)],
  ['dns1123SubdomainPrefix', prefixOf(validateDnsSubdomain)],
  ['dns1035LabelPrefix', prefixOf(validateDns1035Label)],
  ['labelValue', validateLabelValue],
  ['uri', ruleOf((text) => /^[a-zA-Z][a-zA-Z0-9+.-]*:\S*$|^\/\S*$/.test(text), 'invalid URI')],
  ['uuid', ruleOf((text) => uuid.test(text), 'does not match the UUID format')],
  ['byte', ruleOf((text) => base64.test(text), 'invalid base64')],
  [
    'date',
    ruleOf((text) => /^\d{4}-\d\d-\d\d$/.test(text) && parseInstant(`${text}T00:00:00Z`) !== undefined, 'invalid date'),
  ],
  ['datetime', ruleOf((text) => parseInstant(text) !== undefined, 'invalid datetime')],
];

const byName: ReadonlyMap<string, NameRule> = new Map(formats);

function formatValue(name: string): Opaque {
  return new Opaque(`${libraryTypes}NamedFormat`, name, undefined);
}

function validate({ identity }: Opaque, text: string): CelValue {
  const messages = byName.get(identity)?.(text) ?? [];
  return new Optional(messages.length === 0 ? undefined : listFrom(messages));
}

/** Named formats of texts. */
export const namedFormats: Library = {
  functions: [
    ...formats.map(([name]) => [`format.${name}(): Format`, () => formatValue(name)] as const),
    [
      'format.named(string): optional<Format>',
      (name: string) => new Optional(byName.has(name) ? formatValue(name) : undefined),
    ],
  ],
  methods: [['validate(Format, string): optional<list<string>>', validate]],
};
