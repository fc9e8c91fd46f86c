// @spec decisions.7
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { detectStoryLanguage } from '#domain/story-language.ts';

type Story = { readonly key: string; readonly story: readonly string[] };

const sampleStories = ['awardees', 'offsetters', 'installers'].flatMap((kind): Story[] =>
  JSON.parse(readFileSync(`scripts/sample/data/${kind}.json`, 'utf8')),
);
const SPANISH = ['elena-vargas', 'vega-sisters', 'samuel-ortega', 'teresa-nunez', 'pilar-deshawn'];

test('finds the language of every sample story, including five in Spanish', () => {
  const languages = sampleStories.map(({ key, story }) => [key, detectStoryLanguage(story.join(' '))]);
  expect(languages).toEqual(sampleStories.map(({ key }) => [key, SPANISH.includes(key) ? 'es' : 'en']));
});

test.each([
  ['We fly to Los Angeles and to La Paz, and that is the price we pay.', 'en'],
  ['Volamos a San Francisco para ver a la familia, y por eso donamos.', 'es'],
  ['VOLAMOS PARA VER A LA FAMILIA, Y POR ESO DONAMOS.', 'es'],
  ['Warm homes, cooler planet!', undefined],
  ['Nous habitons une vieille maison et nous avons froid chaque hiver.', undefined],
  ['We give for our kids and our city. Damos por nuestros hijos y por la ciudad en que vivimos.', undefined],
  ['אנחנו תורמים כדי שהבית של השכנים יהיה חם', undefined],
  ['', undefined],
])('the language of %j is %s', (story, language) => {
  expect(detectStoryLanguage(story)).toBe(language);
});
