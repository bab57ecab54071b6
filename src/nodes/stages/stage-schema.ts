import type { JsonObject } from '../../meta/json-value.ts';

/** The longest text of an expression. */
export const longestExpression = 4096;

const duration = {
  type: 'string',
  maxLength: 64,
  pattern: '^(0|([0-9]+(\\.[0-9]+)?(ns|us|ms|s|m|h))+)$',
};
const expression = { type: 'string', minLength: 1, maxLength: longestExpression };
const texts = { type: 'object', additionalProperties: { type: 'string' }, maxProperties: 100 };
const names = { type: 'array', maxItems: 50, items: { type: 'string', minLength: 1, maxLength: 253 } };

const selector = {
  type: 'object',
  description: 'The objects that the stage matches: all conditions hold. An empty selector matches all.',
  properties: {
    matchLabels: { ...texts, description: 'Labels with their values.' },
    matchExpressions: {
      type: 'array',
      description: 'Requirements for labels.',
      maxItems: 100,
      items: {
        type: 'object',
        required: ['key', 'operator'],
        properties: {
          key: { type: 'string', minLength: 1, description: 'The key of the label.' },
          operator: {
            type: 'string',
            enum: ['In', 'NotIn', 'Exists', 'DoesNotExist'],
            description: 'The relation of the label to the values.',
          },
          values: {
            type: 'array',
            maxItems: 100,
            items: { type: 'string' },
            description: 'The values of In and NotIn.',
          },
        },
      },
    },
    matchAnnotations: { ...texts, description: 'Annotations with their values.' },
    expression: {
      ...expression,
      description:
        'A CEL expression that is true for the object; its variables are object, node, now, stage, podIP and hostIP. An error counts as false.',
    },
    terminating: {
      type: 'boolean',
      description: 'True for objects that are being deleted. By default the stage matches the others.',
    },
  },
};

const delay = {
  type: 'object',
  description: 'The time from the match until the next state. By default there is none.',
  properties: {
    duration: { ...duration, description: 'The time, such as 1m30s.' },
    jitterDuration: { ...duration, description: 'Up to this much is added at random.' },
    durationFrom: {
      ...expression,
      description: 'A CEL expression that gives the time: a text such as 5s, a duration, or a number of seconds.',
    },
    jitterDurationFrom: { ...expression, description: 'A CEL expression that gives the jitter.' },
  },
};

const next = {
  type: 'object',
  description: 'The next state of the object. In texts, ${...} is replaced by the value of the CEL expression in it.',
  minProperties: 1,
  properties: {
    status: {
      type: 'object',
      description: 'A strategic merge patch of the status. From then on only stages write the status.',
      preserved: true,
    },
    outcome: {
      type: 'string',
      minLength: 1,
      maxLength: 64,
      description: 'A state that stand-in nodes know and report from then on, such as CrashLoopBackOff.',
    },
    annotations: { ...texts, description: 'Annotations that the object gets.' },
    event: {
      type: 'object',
      description: 'An Event about the object.',
      required: ['reason', 'message'],
      properties: {
        type: { type: 'string', enum: ['Normal', 'Warning'], description: 'The type; Normal by default.' },
        reason: { type: 'string', minLength: 1, maxLength: 128, description: 'The reason in one word.' },
        message: { type: 'string', maxLength: 1024, description: 'The message for people.' },
      },
    },
    finalizers: {
      type: 'object',
      description: 'Finalizers that the object gets or loses.',
      properties: {
        add: { ...names, description: 'Finalizers that are added.' },
        remove: { ...names, description: 'Finalizers that are removed.' },
      },
    },
    delete: { type: 'boolean', description: 'True to delete the object, or to remove one that is being deleted.' },
  },
};

/** The schema of the specification of a stage; `preserved` stands for the extension of its name. */
export const stageSpecSchema: JsonObject = {
  type: 'object',
  description: 'The stage: which objects it matches, when and how they change.',
  required: ['resource', 'selector', 'next'],
  properties: {
    resource: { type: 'string', enum: ['pods', 'nodes'], description: 'The kind of the objects.' },
    selector,
    weight: {
      type: 'integer',
      minimum: 0,
      maximum: 1_000_000,
      default: 1,
      description:
        'The share of this stage if several match; 1 by default. One of weight 0 is chosen only if no other matches.',
    },
    delay,
    next,
  },
};
