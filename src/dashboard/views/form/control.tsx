import { useEffect, useState } from 'preact/hooks';
import { stringify } from 'yaml';
import { encodeJson } from '../../../codec/encode-json.ts';
import type { JsonValue } from '../../../meta/json-value.ts';
import type { FieldPath } from '../../forms/field-path.ts';
import type { FieldShape } from '../../forms/field-shape.ts';
import { readYamlValue } from '../../page/yaml-text.ts';
import { messageOf } from '../../page/use-async.ts';
import { fieldId } from './form-state.ts';

interface ControlProps {
  readonly path: FieldPath;
  readonly shape: FieldShape;
  readonly value: JsonValue | undefined;
  /** True for values that often have lines. */
  readonly hasLines: boolean;
  readonly isInvalid: boolean;
  readonly onValue: (value: JsonValue) => void;
  /** Reports a text that is no value; '' for one that is. */
  readonly onProblem: (problem: string) => void;
}

/** The most lines of a text that are seen without scrolling. */
const mostLines = 16;

/** The control of a value without parts. */
export function Control({ path, shape, value, hasLines, isInvalid, onValue, onProblem }: ControlProps) {
  const written = textOf(shape, value);
  const [text, setText] = useState(written);
  // Another writer of the value, such as Discard, replaces the text.
  useEffect(() => {
    if (!isSame(readText(shape, text).value, value)) setText(written);
  }, [written]);
  const id = fieldId(path);
  const shared = { id, 'aria-describedby': `${id}/about`, 'aria-invalid': isInvalid };
  if (shape.kind === 'boolean') {
    return (
      <input
        {...shared}
        type="checkbox"
        checked={value === true}
        onChange={(event) => onValue(event.currentTarget.checked)}
      />
    );
  }
  if (shape.kind === 'choice') {
    const choices = shape.values.includes(written) ? shape.values : [written, ...shape.values];
    return (
      <select {...shared} value={written} onChange={(event) => onValue(event.currentTarget.value)}>
        {choices.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    );
  }
  const onInput = (event: { readonly currentTarget: HTMLInputElement | HTMLTextAreaElement }): void => {
    const { value: input } = event.currentTarget;
    setText(input);
    const read = readText(shape, input);
    onProblem(read.problem);
    if (read.value !== undefined) onValue(read.value);
  };
  if (shape.kind === 'any' || hasLines || text.includes('\n')) {
    const rows = Math.min(mostLines, text.split('\n').length);
    return <textarea {...shared} spellcheck={false} rows={rows} value={text} onInput={onInput} />;
  }
  const mode = shape.kind === 'integer' ? 'numeric' : shape.kind === 'number' ? 'decimal' : undefined;
  return (
    <input
      {...shared}
      type="text"
      inputMode={mode}
      autocomplete="off"
      spellcheck={false}
      value={text}
      onInput={onInput}
    />
  );
}

/** The text of a value as the form shows it. */
export function textOf({ kind }: FieldShape, value: JsonValue | undefined): string {
  if (kind === 'any') return value === undefined ? '' : stringify(value, { lineWidth: 0 }).trimEnd();
  return value === undefined || value === null ? '' : typeof value === 'object' ? encodeJson(value) : String(value);
}

/** The same value, of which one was read from a text and so is another object. */
function isSame(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return one === other || (one !== undefined && other !== undefined && encodeJson(one) === encodeJson(other));
}

/** An integer of 64 bits. */
function integerOf(text: string): JsonValue {
  return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text);
}

interface ReadText {
  readonly value?: JsonValue;
  readonly problem: string;
}

const readers: Readonly<Record<string, (text: string) => ReadText>> = {
  integer: (text) =>
    /^[+-]?\d{1,19}$/.test(text) ? { value: integerOf(text), problem: '' } : { problem: 'This is no whole number.' },
  number: (text) =>
    text.trim() !== '' && Number.isFinite(Number(text))
      ? { value: Number(text), problem: '' }
      : { problem: 'This is no number.' },
  'integer-or-text': (text) => ({ value: /^-?\d{1,15}$/.test(text) ? Number(text) : text, problem: '' }),
  any: (text) => {
    try {
      return { value: readYamlValue(text), problem: '' };
    } catch (error) {
      return { problem: messageOf(error) };
    }
  },
};

function readText({ kind }: FieldShape, text: string): ReadText {
  return Object.hasOwn(readers, kind) ? (readers[kind]?.(text) ?? { problem: '' }) : { value: text, problem: '' };
}
