import { describe, it } from 'node:test';
import { describeConformance } from 'trunkline/testing';
import { kit } from './kit.js';

describeConformance(kit, { describe, it });
