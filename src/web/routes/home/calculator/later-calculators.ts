/** The calculators that are fetched when somebody goes to their tabs; the air calculator is what stands there first. */
export { CarCalculator } from './car-calculator.tsx';
export { HomeCalculatorForm } from './home-calculator-form.tsx';
export { QuickCalculator } from './quick-calculator.tsx';
