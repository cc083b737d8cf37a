// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WrittenNumberTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "$50,012|50012",
        "$ 1,234.50|1234.5",
        "-$5|-5",
        "$-5|-5",
        "($1,200.00)|-1200",
        "US$3|3",
        "USD 12.5|12.5",
        "3,50 €|3.5",
        "1.234,56 €|1234.56",
        "1.234.567 €|1234567",
        "10.3%|10.3",
        "10,3 %|10.3",
        "-0.5%|-0.5",
        "\u221212%|-12",
        "+7%|7",
        "1,234,567|1234567",
        "12,345.678|12345.678",
        "1'234'567|1234567",
        "£.99|0.99",
        "¥1000|1000",
        "7.%|7"
      })
  void amountsPercentagesAndGroupsAreNumbers(String text, double number) {
    assertEquals(number, WrittenNumber.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "5",
        "12.5",
        "1,5",
        "12,34",
        "1,2345",
        "1,23,456",
        "$",
        "%",
        "$$5",
        "5%%",
        "--5",
        "-$-5",
        "($5",
        "5)",
        "1.2.3",
        "10.0.0.1",
        "2024-01-01",
        "red",
        "5 km",
        "$5x",
        "1,234,56",
        "1.234",
        "$1.2.3",
        "999999999999999999999999999999999999999999"
      })
  void othersAreNot(String text) {
    assertEquals(Double.NaN, WrittenNumber.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"120 m2", "35kg", "-3.5 °C", "1,200.5 km/h", "900 sq ft", "80 m²", "2 years"})
  void aUnitFollowsANumber(String text) {
    assertNotNull(WrittenNumber.unit(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"m2", "C123", "12:30", "10-19 years", "5 May 2020", "12 h 30 min", "4+", "town 3"})
  void otherTextsHaveNone(String text) {
    assertNull(WrittenNumber.unit(text));
  }
}
