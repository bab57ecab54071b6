import { decodeJson } from '../../../codec/decode-json.ts';
import { isJsonObject } from '../../../meta/json-value.ts';
import { nameOf } from '../../../meta/object-meta.ts';
import type { Registries } from '../../../registry/definition/registry.ts';
import { badRequest, notServed } from '../../../status/status-error.ts';
import type { VirtualCreate } from '../../../registry/definition/virtual-create.ts';

/** Creates a Binding whose body names the pod. The newer form is `pods/{name}/binding`. */
export function createBinding(registries: Registries): VirtualCreate {
  return async (scope, binding, options) => {
    const name = nameOf(binding);
    if (name === '') throw badRequest('Name parameter required.');
    const pods = registries.forResource('', 'pods');
    if (!pods) throw notServed();
    const { json } = await pods.create(
      { ...scope, name, subresource: 'binding', urlResource: 'bindings' },
      binding,
      options,
    );
    const { value } = decodeJson(json, { duplicates: false });
    return isJsonObject(value) ? value : {};
  };
}
