import { useState } from 'preact/hooks';
import { typeName } from '../../../cli/commands/types/schema-of-kind.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../meta/json-value.ts';
import { stringAt } from '../../../meta/read-field.ts';
import { type FieldPath, pathText } from '../../forms/field-path.ts';
import { descriptionOf, type FieldShape, shapeOf } from '../../forms/field-shape.ts';
import { startingValue } from '../../forms/starting-value.ts';
import { Control, textOf } from './control.tsx';
import { fieldId, focusField, type FormState } from './form-state.ts';
import { useItemIds } from './use-item-ids.ts';

interface ItemNotes {
  readonly movedUp: (index: number) => void;
  readonly removed: (index: number) => void;
}

interface FieldProps {
  readonly form: FormState;
  readonly path: FieldPath;
  readonly name: string;
  readonly schema: JsonObject;
  readonly value: JsonValue | undefined;
  readonly isRequired: boolean;
  /** The control that is reached after the field was removed. */
  readonly parent: FieldPath;
  /** The callbacks of a list that are called when its item moves or is removed. */
  readonly item?: ItemNotes;
  readonly inMap?: boolean;
}

/** Items of a list and keys of a map that are shown at once. */
const shownAtOnce = 100;

/** Levels that are open from the start. */
const openLevels = 2;

/** A field with its description and its control, or with its parts below it. */
function Field(props: FieldProps) {
  const { form, path, schema, value } = props;
  const seen = shapeOf(schema, form.schemas, value);
  // A text of YAML stays one while it is written, whatever it means by then.
  const [first] = useState(seen.kind);
  const shape: FieldShape = first === 'any' ? { kind: 'any' } : seen;
  if (shape.kind === 'object' || shape.kind === 'map' || shape.kind === 'list') {
    return <Nested {...props} shape={shape} />;
  }
  const { edit } = form;
  const isLocked = !edit || edit.isLocked(path);
  const key = pathText(path);
  const error = edit?.errors.get(key) ?? '';
  return (
    <div class="field">
      <div class="field-name">
        {isLocked ? <strong>{props.name}</strong> : <label for={fieldId(path)}>{props.name}</label>}{' '}
        <TypeOf {...props} />
      </div>
      <div class="field-value">
        {isLocked ? (
          <code>{textOf(shape, value) || '""'}</code>
        ) : (
          <Control
            path={path}
            shape={shape}
            value={value}
            hasLines={props.inMap === true}
            isInvalid={error !== ''}
            onValue={(next) => edit.set(path, next)}
            onProblem={(problem) => edit.refuse(path, problem)}
          />
        )}
        <Remove {...props} />
        <p class="hint" id={`${fieldId(path)}/about`}>
          {error !== '' && <span class="error">{error} </span>}
          {descriptionOf(schema, form.schemas)}
        </p>
      </div>
    </div>
  );
}

function TypeOf({ form, schema, isRequired }: FieldProps) {
  const format = stringAt(schema, 'format');
  return (
    <span class="hint">
      {Object.keys(schema).length > 0 && typeName(schema, form.schemas)}
      {format === 'byte' && ', base64'}
      {isRequired && ', required'}
    </span>
  );
}

function Remove(props: FieldProps) {
  const { form, path, name, parent, item } = props;
  const { edit } = form;
  if (!edit || !canRemove(props)) return null;
  const remove = (): void => {
    item?.removed(Number(path.at(-1)));
    edit.remove(path);
    focusField(parent, '/more');
  };
  return (
    <button type="button" class="quiet" aria-label={`Remove ${name}`} onClick={remove}>
      Remove
    </button>
  );
}

/** An object keeps its metadata and what its schema requires; lists may lose any item. */
function canRemove({ form, path, isRequired, item }: FieldProps): boolean {
  if (form.edit?.isLocked(path) !== false || (path.length === 1 && path[0] === 'metadata')) return false;
  return item !== undefined || !isRequired;
}

type NestedShape = Extract<FieldShape, { kind: 'object' | 'map' | 'list' }>;

function Nested(props: FieldProps & { readonly shape: NestedShape }) {
  const { form, path, name, schema, value, shape } = props;
  const [isOpen, setOpen] = useState(path.length <= openLevels);
  const error = form.edit?.errors.get(pathText(path)) ?? '';
  return (
    <details class="field nested" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary id={fieldId(path)}>
        <strong>{name}</strong> <TypeOf {...props} /> <span class="hint">{summaryOf(value)}</span>
      </summary>
      {isOpen && (
        <div class="parts">
          <div class="parts-head">
            <p class="hint">
              {error !== '' && <span class="error">{error} </span>}
              {descriptionOf(schema, form.schemas)}
            </p>
            <Move {...props} />
            <Remove {...props} />
          </div>
          {shape.kind === 'object' && <Fields form={form} path={path} fields={shape} value={value} />}
          {shape.kind === 'map' && <Keys form={form} path={path} values={shape.values} value={value} />}
          {shape.kind === 'list' && <Items form={form} path={path} items={shape.items} value={value} />}
        </div>
      )}
    </details>
  );
}

/** A few words about a value whose parts are folded. */
function summaryOf(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return value.length === 1 ? '1 item' : `${value.length} items`;
  if (!isJsonObject(value)) return '';
  const named = ['name', 'key', 'type', 'path', 'kind']
    .map((field) => stringAt(value, field))
    .find((text) => text !== '');
  return named ?? '';
}

/** Moves an item of a list before the one above it. */
function Move({ form, path, name, item, parent }: FieldProps) {
  const { edit } = form;
  const index = path.at(-1);
  if (!edit || !item || typeof index !== 'number' || index === 0) return null;
  const moveUp = (): void => {
    item.movedUp(index);
    edit.moveUp(path);
    // The browser takes the focus from an element that is moved.
    focusField([...parent, index - 1]);
  };
  return (
    <button type="button" class="quiet" aria-label={`Move ${name} up`} onClick={moveUp}>
      Move up
    </button>
  );
}

interface FieldsProps {
  readonly form: FormState;
  readonly path: FieldPath;
  readonly fields: Extract<FieldShape, { kind: 'object' }>;
  readonly value: JsonValue | undefined;
}

/** The fields of an object that are set, and a list of the others. */
export function Fields({ form, path, fields: { fields }, value }: FieldsProps) {
  const own = isJsonObject(value) ? value : {};
  const known = new Set(fields.map(({ name }) => name));
  const isHidden = (name: string): boolean => path.length === 1 && path[0] === 'metadata' && name === 'managedFields';
  const others = Object.keys(own).filter((name) => !known.has(name) && !isHidden(name));
  const set = fields.filter(({ name }) => Object.hasOwn(own, name) && !isHidden(name));
  const { edit } = form;
  const unset = fields.filter(({ name }) => !Object.hasOwn(own, name) && !edit?.isLocked([...path, name]));
  return (
    <>
      {[...set, ...others.map((name) => ({ name, schema: {}, isRequired: false }))].map(
        ({ name, schema, isRequired }) => (
          <Field
            key={name}
            form={form}
            path={[...path, name]}
            name={name}
            schema={schema}
            value={own[name]}
            isRequired={isRequired}
            parent={path}
          />
        ),
      )}
      {unset.length > 0 && <More form={form} path={path} fields={unset} />}
    </>
  );
}

interface MoreProps {
  readonly form: FormState;
  readonly path: FieldPath;
  readonly fields: Extract<FieldShape, { kind: 'object' }>['fields'];
}

/** The fields that are not set, with their descriptions and a button that adds them. */
function More({ form, path, fields }: MoreProps) {
  const [isOpen, setOpen] = useState(false);
  const { edit, schemas } = form;
  const add = (name: string, schema: JsonObject): void => {
    edit?.set([...path, name], startingValue(schema, schemas));
    focusField([...path, name]);
  };
  return (
    <details class="more" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary id={`${fieldId(path)}/more`}>
        {edit ? 'Add a field: ' : ''}
        {fields.length} {fields.length === 1 ? 'is' : 'are'} not set
      </summary>
      {isOpen && (
        <ul>
          {fields.map(({ name, schema, isRequired }) => (
            <li key={name}>
              {edit ? (
                <button type="button" class="quiet" onClick={() => add(name, schema)}>
                  {name}
                </button>
              ) : (
                <strong>{name}</strong>
              )}{' '}
              <span class="hint">
                {typeName(schema, schemas)}
                {isRequired && ', required'}
                {' – '}
                {descriptionOf(schema, schemas)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

interface ItemsProps {
  readonly form: FormState;
  readonly path: FieldPath;
  readonly items: JsonObject;
  readonly value: JsonValue | undefined;
}

function Items({ form, path, items, value }: ItemsProps) {
  const list = Array.isArray(value) ? value : [];
  const [shown, setShown] = useState(shownAtOnce);
  const { ids, movedUp, removed } = useItemIds(list.length);
  const { edit } = form;
  const add = (): void => {
    edit?.set([...path, list.length], startingValue(items, form.schemas));
    if (list.length >= shown) setShown(list.length + 1);
    focusField([...path, list.length]);
  };
  return (
    <>
      {list.slice(0, shown).map((item, index) => (
        <Field
          key={ids[index]}
          form={form}
          path={[...path, index]}
          name={`${index + 1}`}
          schema={items}
          value={item}
          isRequired={false}
          parent={path}
          item={{ movedUp, removed }}
        />
      ))}
      <Rest count={list.length - shown} onShow={() => setShown(shown + shownAtOnce)} />
      {edit && !edit.isLocked(path) && (
        <button type="button" class="quiet" id={`${fieldId(path)}/more`} onClick={add}>
          Add an item
        </button>
      )}
    </>
  );
}

interface KeysProps {
  readonly form: FormState;
  readonly path: FieldPath;
  readonly values: JsonObject;
  readonly value: JsonValue | undefined;
}

function Keys({ form, path, values, value }: KeysProps) {
  const entries = Object.entries(isJsonObject(value) ? value : {});
  const [shown, setShown] = useState(shownAtOnce);
  const [key, setKey] = useState('');
  const { edit } = form;
  const add = (): void => {
    if (key === '' || entries.some(([name]) => name === key)) return;
    edit?.set([...path, key], startingValue(values, form.schemas));
    focusField([...path, key]);
    setKey('');
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    add();
  };
  return (
    <>
      {entries.slice(0, shown).map(([name, each]) => (
        <Field
          key={name}
          form={form}
          path={[...path, name]}
          name={name}
          schema={values}
          value={each}
          isRequired={false}
          parent={path}
          inMap
        />
      ))}
      <Rest count={entries.length - shown} onShow={() => setShown(shown + shownAtOnce)} />
      {edit && !edit.isLocked(path) && (
        <div class="bar">
          <input
            id={`${fieldId(path)}/more`}
            aria-label={`New key of ${String(path.at(-1))}`}
            placeholder="New key"
            autocomplete="off"
            spellcheck={false}
            value={key}
            onInput={(event) => setKey(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
          <button type="button" class="quiet" onClick={add}>
            Add
          </button>
        </div>
      )}
    </>
  );
}

function Rest({ count, onShow }: { readonly count: number; readonly onShow: () => void }) {
  if (count <= 0) return null;
  return (
    <button type="button" class="quiet" onClick={onShow}>
      Show more ({count})
    </button>
  );
}
