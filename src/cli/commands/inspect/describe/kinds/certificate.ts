import { humanDuration } from '../../../../../meta/human-duration.ts';
import { subjectAltNameOid } from '../../../../../pki/alt-names.ts';
import { parseEncodedRequest } from '../../../../../pki/parse-certificate-request.ts';
import { derTags, elementsOf, objectIdentifier, readDer } from '../../../../../pki/read-der.ts';
import type { JsonObject } from '../../../../../meta/json-value.ts';
import type { Description, Section } from '../parts/description.ts';
import { created, field, line, name, optional } from '../parts/fields.ts';
import { itemsAt, pairs, textAt } from '../parts/values.ts';

/** The attributes of a subject by OID, in the order in which they are shown. */
const attributes = [
  ['2.5.4.3', 'Common Name'],
  ['2.5.4.5', 'Serial Number'],
  ['2.5.4.10', 'Organization'],
  ['2.5.4.11', 'Organizational Unit'],
  ['2.5.4.6', 'Country'],
  ['2.5.4.7', 'Locality'],
  ['2.5.4.8', 'Province'],
  ['2.5.4.9', 'StreetAddress'],
  ['2.5.4.17', 'PostalCode'],
] as const;

/** Attributes that have a line also if the subject lacks them. The last value counts. */
const single: ReadonlySet<string> = new Set(['Common Name', 'Serial Number']);

/** The names of a request by the tag of their kind. */
const altNames = [
  [0x82, 'DNS Names', latin],
  [0x81, 'Email Addresses', latin],
  [0x86, 'URIs', latin],
  [0x87, 'IP Addresses', ipText],
] as const;

function latin(content: Uint8Array): string {
  return Buffer.from(content).toString('latin1');
}

function ipText(content: Uint8Array): string {
  if (content.length === 4) return content.join('.');
  const groups = Array.from({ length: 8 }, (_, index) =>
    (((content[2 * index] ?? 0) << 8) | (content[2 * index + 1] ?? 0)).toString(16),
  );
  // The parser of URLs writes addresses in their canonical form.
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

const request: Section = (object) => {
  try {
    const { subjectDer, extensions } = parseEncodedRequest(textAt(object, 'spec.request'));
    return [...subjectLines(subjectDer), ...altNameLines(extensions.get(subjectAltNameOid))];
  } catch (error) {
    return [`Subject:\t<${error instanceof Error ? error.message : String(error)}>`];
  }
};

function subjectLines(der: Uint8Array): string[] {
  const pairsOf = elementsOf(readDer(der), derTags.sequence)
    .flatMap((set) => elementsOf(set, derTags.set))
    .map((attribute) => {
      const [type, value] = elementsOf(attribute, derTags.sequence);
      return [objectIdentifier(type), Buffer.from(value?.content ?? []).toString('utf8')] as const;
    });
  const lines = attributes.flatMap(([oid, label]) => {
    const values = pairsOf.filter(([found]) => found === oid).map(([, value]) => value);
    return listLines(label, single.has(label) ? [values.at(-1) ?? ''] : values);
  });
  return ['Subject:', ...lines];
}

function listLines(label: string, values: readonly string[]): string[] {
  return values.map((value, index) => (index === 0 ? `\t${label}:\t${value}` : `\t\t${value}`));
}

function altNameLines(der: Uint8Array | undefined): string[] {
  const names = der ? elementsOf(readDer(der), derTags.sequence) : [];
  const lines = altNames.flatMap(([tag, label, format]) =>
    listLines(
      label,
      names.filter((each) => each.tag === tag).map(({ content }) => format(content)),
    ),
  );
  return lines.length === 0 ? [] : ['Subject Alternative Names:', ...lines];
}

function statusText(object: JsonObject): string {
  const has = (type: string) => itemsAt(object, 'status.conditions').some((condition) => condition.type === type);
  const decision = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  return `${decision}${has('Failed') ? ',Failed' : ''}${textAt(object, 'status.certificate') ? ',Issued' : ''}`;
}

const secondMs = 1000;

/** Requests for certificates, with the names that they ask for. */
export const certificateRequest: Description = {
  sections: [
    name,
    field('Labels', 'metadata.labels', pairs),
    field('Annotations', 'metadata.annotations', pairs),
    created,
    field('Requesting User', 'spec.username'),
    optional('Signer', 'spec.signerName'),
    optional('Requested Duration', 'spec.expirationSeconds', (value) => humanDuration(Number(value) * secondMs)),
    line('Status', statusText),
    request,
  ],
};
