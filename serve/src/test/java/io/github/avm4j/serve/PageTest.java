// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.support.ui.WebDriverWait;

/** The page in a real browser: a row is tried and its explanation read. */
class PageTest {
  @TempDir static Path folder;
  static RunningServer server;
  static ChromeDriver browser;

  /** The browser leaves files where it is told to keep them. */
  static Path scratch;

  @BeforeAll
  static void open() throws Exception {
    Path chromium = Path.of("/usr/bin/chromium");
    Path driver = Path.of("/usr/bin/chromedriver");
    Assumptions.assumeTrue(
        Files.exists(chromium) && Files.exists(driver),
        "skipped: needs Debian's chromium and chromium-driver");
    RunningServer.put(folder, "people-41.avm", TestModels.people(2));
    RunningServer.put(folder, "people-42.avm", TestModels.people(3));
    RunningServer.put(folder, "numbers.avm", TestModels.numbers(1));
    RunningServer.put(folder, "waves.avm", TestModels.numbered(3, 30, 1));
    Files.write(folder.resolve("plant.avm"), TestModels.plant(1).toBytes());
    server = new RunningServer(folder, "--open=health,predict,explain,inspect,metrics");
    scratch = Files.createTempDirectory("browser");
    ChromeOptions options = new ChromeOptions();
    options.setBinary(chromium.toFile());
    options.addArguments(
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-dev-shm-usage");
    browser =
        new ChromeDriver(
            new ChromeDriverService.Builder()
                .usingDriverExecutable(driver.toFile())
                .withEnvironment(Map.of("TMPDIR", scratch.toString()))
                .build(),
            options);
  }

  @AfterAll
  static void close() throws Exception {
    if (browser != null) {
      browser.quit();
    }
    if (scratch != null) {
      try (Stream<Path> left = Files.walk(scratch)) {
        left.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
      } catch (UncheckedIOException e) {
        // A file went away by itself.
      }
    }
    if (server != null) {
      server.close();
    }
  }

  private static void load() {
    browser.get(server.server().address() + "/");
    until("ready", () -> text("state").equals("ready"));
  }

  private static String text(String id) {
    return browser.findElement(By.id(id)).getText();
  }

  private static void until(String what, java.util.function.BooleanSupplier condition) {
    new WebDriverWait(browser, Duration.ofSeconds(60))
        .withMessage(what)
        .until(unused -> condition.getAsBoolean());
  }

  private static void choose(String model) {
    browser.findElement(By.cssSelector("#model")).sendKeys(model);
    until(model, () -> "waves".equals(model) != browser.findElements(By.id("row")).isEmpty());
  }

  private static void ask() {
    browser.executeScript("document.getElementById('prediction').replaceChildren()");
    browser.findElement(By.id("ask")).click();
    until("a prediction", () -> !text("prediction").isEmpty());
  }

  @Test
  void aRowIsTriedAndExplained() throws Exception {
    browser.manage().logs().get("browser"); // forgets what other tests provoked
    load();
    assertTrue(text("models").contains("42 in use"), text("models"));
    choose("people");
    browser.findElement(By.cssSelector("[data-column=age]")).sendKeys("33");
    browser.findElement(By.cssSelector("[data-column=job]")).sendKeys("cook");
    ask();
    String expected =
        RunningServer.json(
                server.post("/v1/predict?model=people", "{\"age\": 33, \"job\": \"cook\"}"))
            .path("prediction")
            .asText();
    assertEquals(expected, text("label"));
    List<WebElement> points = browser.findElements(By.cssSelector("#points tbody tr"));
    assertEquals(8, points.size());
    assertTrue(points.get(0).getText().contains("age"), points.get(0).getText());
    assertTrue(points.get(0).getText().contains("%"));
    until("a rate", () -> !text("rate").equals("–"));
    assertEquals(List.of(), browser.manage().logs().get("browser").getAll(), "errors of the page");
  }

  @Test
  void valuesAreShownAsInTheData() {
    load();
    choose("people");
    browser.findElement(By.cssSelector("[data-column=age]")).sendKeys("33");
    ask();
    // Of the date, its place in the day and the week is kept, from which no date can be shown.
    for (WebElement point : browser.findElements(By.cssSelector("#points td.at"))) {
      assertTrue(point.getText().matches("age [\\d.]+, job = (clerk|cook|pilot)"), point.getText());
    }
    choose("numbers");
    browser.findElement(By.cssSelector("[data-column=age]")).sendKeys("33");
    ask();
    assertTrue(text("label").matches("≈ \\d\\.\\d{1,5}"), text("label"));
    assertFalse(text("prediction").contains("speaks for"), text("prediction"));
    until("a rate", () -> !text("rate").equals("–"));
    until("a latency", () -> text("p50").matches("≤ .+ m?s|–"));
  }

  @Test
  void aDetectorIsShownAndJudgesARow() throws Exception {
    load();
    assertTrue(text("models").contains("detector of anomalies, version 1"), text("models"));
    choose("plant");
    assertEquals("Judge", text("ask"));
    browser.findElement(By.cssSelector("[data-column=load]")).sendKeys("10");
    browser.findElement(By.cssSelector("[data-column=heat]")).sendKeys("99");
    ask();
    assertEquals("alarm", text("label"));
    assertTrue(text("prediction").contains("heat 99, expected"), text("prediction"));
    until("it is counted", () -> text("models").contains("of 1 row judged here were alarms"));
    Files.write(Path.of("target", "page-detection.png"), browser.getScreenshotAs(OutputType.BYTES));
    choose("people");
    assertEquals("Predict", text("ask"));
  }

  @ParameterizedTest
  @CsvSource({"light,1280", "light,500", "dark,1280", "dark,500"})
  void whatIsLearnedIsShown(String scheme, int width, @TempDir Path loop) throws Exception {
    try (RunningServer learning = new RunningServer(null, "--learn=" + loop)) {
      size(scheme, width);
      browser.get(learning.server().address() + "/");
      until("nothing yet", () -> text("learned").contains("rows learned"));
      assertTrue(browser.findElements(By.cssSelector("#curve svg")).isEmpty());
      String rows =
          IntStream.range(0, 60)
              .mapToObj(k -> "{\"x\":%d,\"label\":\"%s\"}".formatted(k * 37 % 60, k * 37 % 60 > 30))
              .collect(Collectors.joining(",", "[", "]"));
      for (int request = 0; request < 3; request++) {
        assertEquals(200, learning.post("/v1/learn", rows).statusCode());
      }
      until("180 rows", () -> text("learned").replace('\n', ' ').contains("rows learned 180"));
      assertTrue(text("curve").contains("the most frequent class"), text("curve"));
      List<WebElement> lines = browser.findElements(By.cssSelector("#curve polyline"));
      assertEquals(2, lines.size());
      assertTrue(lines.get(1).getAttribute("points").split(" ").length > 5, "a point per ten rows");
      fits("learning-" + scheme + "-" + width);
    }
  }

  @Test
  void aTextInANumbersFieldIsSaidBesideIt() {
    load();
    choose("people");
    WebElement age = browser.findElement(By.cssSelector("[data-column=age]"));
    age.sendKeys("old");
    browser.findElement(By.cssSelector("[data-column=since]")).sendKeys("yesterday");
    browser.findElement(By.id("ask")).click();
    List<WebElement> said = browser.findElements(By.cssSelector("#cells .bad"));
    assertEquals(
        List.of("must be a number", "a date, as 2026-01-31"),
        said.stream().map(WebElement::getText).toList());
    assertEquals("", text("prediction"));
    age.sendKeys("er");
    assertEquals(1, browser.findElements(By.cssSelector("#cells .bad")).size());
  }

  @Test
  void whatIsWrongIsShownAsText() {
    load();
    choose("waves");
    WebElement area = browser.findElement(By.id("row"));
    area.clear();
    area.sendKeys("[1, 2]");
    ask();
    assertTrue(text("problem").contains("this model has 3"), text("problem"));
  }

  @ParameterizedTest
  @CsvSource({"light,1400", "light,400", "light,360", "dark,1400", "dark,400"})
  void fitsNarrowAndWideLightAndDark(String scheme, int width) throws Exception {
    size(scheme, width);
    load();
    choose("people");
    browser.findElement(By.cssSelector("[data-column=age]")).sendKeys("33");
    ask();
    until("a rate", () -> !text("rate").equals("–"));
    fits(scheme + "-" + width);
  }

  private static void size(String scheme, int width) {
    browser.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    browser.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", 1400, "deviceScaleFactor", 1, "mobile", false));
  }

  private static void fits(String name) throws Exception {
    Number overflow =
        (Number)
            browser.executeScript(
                "return document.documentElement.scrollWidth -"
                    + " document.documentElement.clientWidth");
    assertFalse(overflow.intValue() > 0, "the page is wider than its window by " + overflow);
    Path picture = Path.of("target", "page-" + name + ".png");
    Files.createDirectories(Path.of("target"));
    Files.write(picture, browser.getScreenshotAs(OutputType.BYTES));
  }
}
