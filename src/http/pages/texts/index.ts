import type { PageLanguage } from '../language.js';
import { chinese } from './chinese.js';
import { english } from './english.js';
import type { PageTexts } from './page-texts.js';
import { spanish } from './spanish.js';

export const TEXTS: Readonly<Record<PageLanguage, PageTexts>> = { en: english, es: spanish, zh: chinese };
