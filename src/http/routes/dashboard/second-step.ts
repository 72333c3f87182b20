import type { OwnSecondStep } from '../../../core/sessions/second-step.js';
import {
  beginSecondStepBody,
  bothStepsBody,
  confirmSecondStepBody,
  recoveryCodesRecord,
  secondStepRecord,
  secondStepSecretRecord,
} from '../../../core/sessions/second-step-record.js';
import { type Route, route } from '../../route.js';
import { dashboard } from './common.js';

/** Two-step sign-in of the signed-in person. */
export function secondStepRoutes(secondStep: OwnSecondStep): Route[] {
  return [...enablingRoutes(secondStep), ...bothStepsRoutes(secondStep)];
}

function enablingRoutes(secondStep: OwnSecondStep): Route[] {
  return [
    route({
      ...dashboard,
      method: 'GET',
      path: '/second-step',
      summary: 'Whether the sign-in asks for a code',
      success: 200,
      response: secondStepRecord,
      handler: ({ caller }) => secondStep.describe(caller),
    }),
    route({
      ...dashboard,
      method: 'POST',
      path: '/second-step',
      summary: 'Make a secret for an authenticator app',
      body: beginSecondStepBody,
      success: 201,
      response: secondStepSecretRecord,
      handler: ({ caller, body, address }) => secondStep.begin(caller, body, address),
    }),
    route({
      ...dashboard,
      method: 'POST',
      path: '/second-step/confirm',
      summary: 'Turn two-step sign-in on',
      body: confirmSecondStepBody,
      success: 200,
      response: recoveryCodesRecord,
      handler: ({ caller, body }) => secondStep.confirm(caller, body),
    }),
  ];
}

/** Operations that require the password and a code. */
function bothStepsRoutes(secondStep: OwnSecondStep): Route[] {
  return [
    route({
      ...dashboard,
      method: 'POST',
      path: '/second-step/recovery-codes',
      summary: 'Replace the recovery codes',
      body: bothStepsBody,
      success: 200,
      response: recoveryCodesRecord,
      handler: ({ caller, body, address }) => secondStep.renewCodes(caller, body, address),
    }),
    route({
      ...dashboard,
      method: 'POST',
      path: '/second-step/disable',
      summary: 'Turn two-step sign-in off',
      body: bothStepsBody,
      success: 204,
      handler: async ({ caller, body, address }) => {
        await secondStep.disable(caller, body, address);
        return undefined;
      },
    }),
  ];
}
