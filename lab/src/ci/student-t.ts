/**
 * Quantile of Student's t distribution: the t that a value stays below with this probability (0.5 to 1), by bisection
 * over the regularised incomplete beta function.
 */
export function studentQuantile(probability: number, degreesOfFreedom: number): number {
  let low = 0;
  let high = 1;
  while (studentCdf(high, degreesOfFreedom) < probability) high *= 2;
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2;
    if (studentCdf(middle, degreesOfFreedom) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function studentCdf(t: number, degreesOfFreedom: number): number {
  const x = degreesOfFreedom / (degreesOfFreedom + t * t);
  return 1 - incompleteBeta(x, degreesOfFreedom / 2, 0.5) / 2;
}

/** Continued fraction by Lentz's method (Abramowitz and Stegun, 26.5.8). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges fast on this side only; the other follows by symmetry.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x));
  const tiny = 1e-300;
  const nonZero = (value: number) => (Math.abs(value) < tiny ? tiny : value);
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1));
  let c = 1;
  let fraction = d;
  for (let m = 1; m <= 300; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    for (const coefficient of [even, odd]) {
      d = 1 / nonZero(1 + coefficient * d);
      c = nonZero(1 + coefficient / c);
      fraction *= c * d;
    }
    if (Math.abs(c * d - 1) < 1e-14) break;
  }
  return (front * fraction) / a;
}

/** Stirling's series after shifting the argument above 7 (Abramowitz and Stegun, 6.1.41). */
function logGamma(value: number): number {
  let x = value;
  let shift = 0;
  while (x < 7) {
    shift -= Math.log(x);
    x += 1;
  }
  const series = 1 / (12 * x) - 1 / (360 * x ** 3) + 1 / (1260 * x ** 5) - 1 / (1680 * x ** 7);
  return shift + (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + series;
}
