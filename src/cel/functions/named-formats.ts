import { libraryTypes } from '../../identifiers/expression-types.ts';
import { parseRequestUri } from '../../meta/request-uri.ts';
import {
  type NameRule,
  validateDns1035Label,
  validateDnsLabel,
  validateDnsSubdomain,
  validateLabelValue,
  validateNameBase,
  validateQualifiedName,
} from '../../meta/validate-name.ts';
import { isOfFormat } from '../../meta/value-format.ts';
import { type CelValue, listFrom, Opaque, Optional } from '../values/cel-value.ts';
import type { Library } from './library.ts';

/** A rule that says one thing if a text does not meet it. */
function ruleOf(isMet: (text: string) => boolean, message: string): NameRule {
  return (text) => (isMet(text) ? [] : [message]);
}

function prefixOf(rule: NameRule): NameRule {
  return (text) => validateNameBase(rule, text);
}

function uriProblems(text: string): readonly string[] {
  const parsed = parseRequestUri(text);
  return 'problem' in parsed ? [`parse ${JSON.stringify(text)}: ${parsed.problem}`] : [];
}

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
  ['uri', uriProblems],
  ['uuid', ruleOf((text) => isOfFormat('uuid', text), 'does not match the UUID format')],
  ['byte', ruleOf((text) => isOfFormat('byte', text), 'invalid base64')],
  ['date', ruleOf((text) => isOfFormat('date', text), 'invalid date')],
  ['datetime', ruleOf((text) => isOfFormat('datetime', text), 'invalid datetime')],
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
