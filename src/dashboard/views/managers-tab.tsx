import { itemsAt, textAt } from '../../cli/commands/inspect/describe/parts/values.ts';
import { isJsonObject, type JsonValue } from '../../meta/json-value.ts';
import type { ObjectProps } from './object-props.ts';

/** The fields of an object by their managers. */
export function ManagersTab({ object }: ObjectProps) {
  const entries = itemsAt(object, 'metadata.managedFields');
  if (entries.length === 0) return <p class="nothing">No manager owns a field.</p>;
  return (
    <div>
      {entries.map((entry, index) => (
        <details key={index} class="manager">
          <summary>
            <strong>{textAt(entry, 'manager')}</strong> {textAt(entry, 'operation')} {textAt(entry, 'subresource')}{' '}
            <span class="hint">{textAt(entry, 'time')}</span>
          </summary>
          <ul>
            {pathsOf(entry['fieldsV1'], '').map((path) => (
              <li key={path}>
                <code>{path}</code>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </div>
  );
}

/** The paths of a field set: `.spec.replicas`, `.spec.ports[{"port":80}]`. */
function pathsOf(fields: JsonValue | undefined, prefix: string): string[] {
  if (!isJsonObject(fields)) return [];
  return Object.entries(fields).flatMap(([name, below]) => {
    if (name === '.') return [];
    const path = name.startsWith('f:') ? `${prefix}.${name.slice(2)}` : `${prefix}[${name.slice(2)}]`;
    const deeper = pathsOf(below, path);
    return deeper.length > 0 ? deeper : [path];
  });
}
