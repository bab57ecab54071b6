import type * as authenticationv1 from '../gen/types/authentication-v1.ts';
import type * as autoscalingv1 from '../gen/types/autoscaling-v1.ts';
import type * as corev1 from '../gen/types/core-v1.ts';
import type * as policyv1 from '../gen/types/policy-v1.ts';

/** The sub-resources whose objects are of another kind than their resource, for every kind. */
interface SubresourceObjects {
  binding: corev1.Binding;
  eviction: policyv1.Eviction;
  scale: autoscalingv1.Scale;
  token: authenticationv1.TokenRequest;
}

/**
 * The type of the objects of a sub-resource, of which `T` are the objects of the resource. Most
 * sub-resources (`status`, `approval`, `finalize`, ...) have the objects of their resource.
 */
export type SubresourceObject<T, Subresource extends string> = Subresource extends keyof SubresourceObjects
  ? SubresourceObjects[Subresource]
  : T;
