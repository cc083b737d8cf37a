// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Infers a {@link Schema} from the first rows of a stream: which columns are numbers, categories or
 * dates, which identify rows, and what stands for a missing number. Looks at features only, never
 * at labels; the same rows give the same schema.
 */
public final class SchemaFitter {
  /** Values of all categorical columns that get a feature of their own, unless set otherwise. */
  public static final int MOST_VALUES = ColumnProfile.MOST_VALUES;

  /** Fewest features of a hashed column. */
  public static final int FEWEST_BUCKETS = 64;

  /** What features of sparse vectors are multiplied by: then none is beyond ±1.5. */
  static final double SPARSE_UNIT = 0.375;

  private static final int FEW = 10;
  private static final int MOST_BUCKETS = 1 << 16;
  private static final String THINGS =
      "(?:row|record|sample|case|item|order|customer|account|invoice|ticket|user|patient|student"
          + "|employee|client|member|transaction|serial|product)";
  private static final Pattern IDENTIFYING =
      Pattern.compile(
          "(?:.*[_\\s.-])?(?:ids?|uid|uuid|guid|e-?mail)|phone|ssn|iban|unnamed.*|(?:"
              + THINGS
              + "[_\\s.-]?)?(?:id|no|nr|num|number|index|idx|key|row|rownum|record|serial)");
  private static final Pattern CAPITAL = Pattern.compile(".*[a-z](?:Id|ID|Uuid|UUID|Email)");

  private final List<String> names;
  private final Map<String, Column.Kind> overrides;
  private final List<ColumnProfile> profiles = new ArrayList<>();
  private final List<Finding> findings = new ArrayList<>();
  private final Row named = new Row();
  private Map<String, List<String>> declared = Map.of();
  private int mostValues = MOST_VALUES;
  private CellReader cells = CellReader.DEFAULT;
  private long rows;

  /**
   * A fitter for rows of these columns; {@code overrides} fixes the kind of some by name.
   *
   * @param names column names of the rows, in the order of their cells
   * @param overrides kinds by column name
   * @throws IllegalArgumentException if an override names no column
   */
  public SchemaFitter(List<String> names, Map<String, Column.Kind> overrides) {
    this.names = List.copyOf(names);
    this.overrides = Map.copyOf(overrides);
    for (String name : this.overrides.keySet()) {
      if (!names.contains(name)) {
        throw new IllegalArgumentException("no column is named " + name + "; there are " + names);
      }
    }
    names.forEach(name -> profiles.add(new ColumnProfile()));
  }

  /**
   * Takes all values of some columns from the file's own declaration of them.
   *
   * @param values values by column name, in their order
   * @return this fitter
   */
  public SchemaFitter declared(Map<String, List<String>> values) {
    declared = Map.copyOf(values);
    return this;
  }

  /**
   * Bounds how many values of all categorical columns get a feature of their own.
   *
   * @param value number of values, ≥ 0
   * @return this fitter
   */
  public SchemaFitter mostValues(int value) {
    mostValues = Math.max(1, Math.min(MOST_VALUES, value));
    return this;
  }

  /**
   * Sets how cells are read, by this fitter and by the schema.
   *
   * @param value the rules
   * @return this fitter
   */
  public SchemaFitter cells(CellReader value) {
    cells = value;
    return this;
  }

  /**
   * Looks at one row.
   *
   * @param row the row
   */
  public void add(Row row) {
    rows++;
    for (int c = 0; c < profiles.size(); c++) {
      if (!cells.isMissing(row, c)) {
        profiles.get(c).add(row, c, cells, cells.isVerbatim(names.get(c)));
      }
    }
  }

  /**
   * Looks at one row.
   *
   * @param row values by column name: numbers, texts, Booleans, dates, or null
   * @throws IllegalArgumentException if a value is none of these
   */
  public void add(Map<String, ? extends @Nullable Object> row) {
    named.reset(names.size());
    for (int c = 0; c < names.size(); c++) {
      named.set(c, row.get(names.get(c)));
    }
    add(named);
  }

  /**
   * {@return the names of the columns that rows have, in the order in which they first come; if the
   * rows' maps have no order, sorted}
   *
   * @param rows values by column name
   * @param most how many rows are looked at
   * @throws IllegalArgumentException if there is no row
   */
  public static List<String> columns(
      Iterable<? extends Map<String, ? extends @Nullable Object>> rows, int most) {
    Set<String> names = new LinkedHashSet<>();
    int count = 0;
    for (Map<String, ? extends @Nullable Object> row : rows) {
      if (count++ == most) {
        break;
      }
      boolean ordered = row instanceof LinkedHashMap || row instanceof SortedMap;
      names.addAll(ordered ? row.keySet() : new TreeSet<>(row.keySet()));
    }
    if (count == 0) {
      throw new IllegalArgumentException("there is no row to infer columns from");
    }
    return List.copyOf(names);
  }

  /** {@return how cells are read} */
  public CellReader cells() {
    return cells;
  }

  /** {@return a value of each column by its name, empty if all its cells are missing} */
  public Map<String, String> examples() {
    Map<String, String> examples = new LinkedHashMap<>();
    for (int c = 0; c < names.size(); c++) {
      examples.put(names.get(c), profiles.get(c).values.keySet().stream().findFirst().orElse(""));
    }
    return examples;
  }

  /** {@return the schema of what was seen; numbered if there are no columns} */
  public Schema fit() {
    findings.clear();
    List<Column> columns = new ArrayList<>();
    for (int c = 0; c < names.size(); c++) {
      columns.add(column(c));
    }
    Schema schema = new Schema(columns, cells);
    if (!schema.isNumbered() && schema.isSparse()) {
      for (int c = 0; c < names.size(); c++) {
        columns.set(c, sparse(columns.get(c), profiles.get(c)));
      }
      schema = new Schema(columns, cells);
    }
    noteHashed(schema);
    return schema;
  }

  /**
   * {@return what the last {@link #fit} inferred that a user should know, in the order of columns}
   */
  public List<Finding> findings() {
    return List.copyOf(findings);
  }

  private void find(int c, Finding.What what, String detail) {
    findings.add(new Finding(names.get(c), what, detail));
  }

  private void noteHashed(Schema schema) {
    for (Column column : schema.columns()) {
      boolean full = column.kind() == Column.Kind.CATEGORY && column.buckets() > 0;
      if (full && column.details().room() == 0) {
        String features = Integer.toString(column.buckets());
        findings.add(new Finding(column.name(), Finding.What.HASHED, features));
      }
    }
  }

  private Column column(int c) {
    ColumnProfile profile = profiles.get(c);
    String name = names.get(c);
    Column.Kind given = overrides.get(name);
    Column.Kind kind = given != null ? given : infer(c, profile);
    Column.Details details = Column.Details.NEWEST;
    return switch (kind) {
      case NUMBER -> {
        String code = profile.missingCode(rows);
        if (!code.isEmpty()) {
          find(c, Finding.What.MISSING_CODE, code);
        }
        yield new Column(name, kind, profile.numberFill(Standard.NONE), List.of(), 0, details);
      }
      case CATEGORY -> categorical(name, profile);
      case HASHED -> new Column(name, kind, Fill.NONE, List.of(), buckets(profile), details);
      case DATE -> date(name, profile);
      case DROPPED -> new Column(name, kind, Fill.NONE, List.of(), 0, details);
    };
  }

  private static Column date(String name, ColumnProfile profile) {
    boolean yearly = profile.isYearly();
    Column.Details details = Column.Details.NEWEST.withDates(profile.dateForm(), yearly);
    Fill fill = profile.dateFill(yearly ? Cycles.MOST : Cycles.MOST - 2);
    return new Column(name, Column.Kind.DATE, fill, List.of(), 0, details);
  }

  private Column categorical(String name, ColumnProfile profile) {
    Column.Details details = Column.Details.NEWEST;
    List<String> values = declared.get(name);
    if (values != null && values.size() <= mostValues) {
      Set<String> all = new LinkedHashSet<>();
      values.forEach(value -> all.add(cells.isVerbatim(name) ? value : cells.category(value)));
      all.addAll(profile.values.keySet());
      return new Column(name, Column.Kind.CATEGORY, Fill.NONE, List.copyOf(all), 0, details);
    }
    List<String> seen = known(profile);
    int unmet = profile.unmet();
    boolean open = profile.isOpen();
    int most = share() - seen.size();
    int room = open ? most : Math.min(2 + seen.size() / 8 + 2 * unmet, most);
    int buckets = open || room <= 0 ? buckets(profile) : 1 + seen.size() / 8 + unmet;
    return new Column(
        name,
        Column.Kind.CATEGORY,
        Fill.NONE,
        seen,
        Math.min(buckets, MOST_BUCKETS),
        details.withRoom(Math.max(0, room)));
  }

  /** The values that may have a feature of their own, the most frequent first if not all may. */
  private List<String> known(ColumnProfile profile) {
    List<String> seen = new ArrayList<>(profile.values.keySet());
    seen.removeIf(value -> value.length() > Column.LONGEST_VALUE);
    if (seen.size() > share()) {
      seen.sort((a, b) -> Integer.compare(count(profile, b), count(profile, a)));
      seen = seen.subList(0, share());
    }
    return seen;
  }

  private static int count(ColumnProfile profile, String value) {
    return profile.values.getOrDefault(value, 0);
  }

  /** Values that one column may have a feature each of. */
  private int share() {
    return Math.max(1, mostValues / Math.max(1, names.size()));
  }

  /** A power of two that leaves two features per value. */
  private static int buckets(ColumnProfile profile) {
    int wanted = 2 * (profile.values.size() + profile.unmet());
    int size = FEWEST_BUCKETS;
    while (size < wanted && size < MOST_BUCKETS) {
      size *= 2;
    }
    return profile.tooMany ? MOST_BUCKETS : size;
  }

  /**
   * The column of a sparse schema: numbers are standardised, open sets of values have more room.
   */
  private Column sparse(Column column, ColumnProfile profile) {
    Column.Details details = column.details();
    Standard standard = Standard.NONE;
    Fill fill = column.fill();
    if (column.kind() == Column.Kind.NUMBER) {
      boolean heavy = profile.isHeavy();
      standard = (heavy ? profile.logs : profile.plain).standard(heavy);
      fill = profile.numberFill(standard);
    }
    return new Column(
        column.name(),
        column.kind(),
        fill,
        column.categories(),
        column.buckets(),
        details.withStandard(standard, SPARSE_UNIT));
  }

  /** Text wins over numbers unless it is rare; columns that cannot help are dropped. */
  private Column.Kind infer(int c, ColumnProfile profile) {
    if (profile.cells() == 0) {
      find(c, Finding.What.EMPTY, "");
      return Column.Kind.DROPPED;
    }
    if (declared.containsKey(names.get(c))) {
      return Column.Kind.CATEGORY;
    }
    long others = profile.texts - profile.writtenNumbers;
    if (profile.numbers + profile.writtenNumbers > 20 * others) {
      return numeric(c, profile);
    }
    if (profile.isDates()) {
      Finding.What what = profile.isAmbiguous() ? Finding.What.AMBIGUOUS_DATES : Finding.What.DATES;
      find(c, what, profile.dateForm().pattern());
      return Column.Kind.DATE;
    }
    if (profile.withUnit != null && profile.hasUnit()) {
      find(c, Finding.What.NUMBERS_WITH_UNIT, profile.withUnit);
    }
    Finding.@Nullable What reason = leftOut(names.get(c), profile);
    if (reason != null) {
      find(c, reason, Integer.toString(profile.values.size()));
      return Column.Kind.DROPPED;
    }
    return Column.Kind.CATEGORY;
  }

  private Column.Kind numeric(int c, ColumnProfile profile) {
    if (profile.writtenNumber != null) {
      find(c, Finding.What.WRITTEN_NUMBERS, profile.writtenNumber);
    }
    boolean differ = profile.whole && !profile.tooMany && profile.values.size() == profile.cells();
    boolean few = profile.cells() < FEW || profile.texts > 0;
    if (few || names.size() == 1 || !(differ || profile.counting)) {
      return Column.Kind.NUMBER;
    }
    boolean fromStart = profile.first == 0 || profile.first == 1;
    if (profile.counting && c == 0 && fromStart && isNumbered()) {
      find(c, Finding.What.ROW_NUMBER, "");
      return Column.Kind.DROPPED;
    }
    if (isIdentifying(names.get(c))) {
      find(c, Finding.What.IDENTIFIER, Long.toString(profile.cells()));
      return Column.Kind.DROPPED;
    }
    return Column.Kind.NUMBER;
  }

  /** Whether columns have no names but c1, c2, …. */
  private boolean isNumbered() {
    return names.size() > 2 && names.get(0).equals("c1") && names.get(1).equals("c2");
  }

  private static boolean isIdentifying(String name) {
    return CAPITAL.matcher(name).matches()
        || IDENTIFYING.matcher(name.toLowerCase(Locale.ROOT)).matches();
  }

  /** Why a column of texts is not learned from; null if it is. */
  private static Finding.@Nullable What leftOut(String name, ColumnProfile profile) {
    long cells = profile.cells();
    int values = profile.values.size();
    if (cells < FEW) {
      return null;
    }
    boolean free = profile.words >= 4 * profile.texts && 2L * values > cells;
    if (free) {
      return Finding.What.FREE_TEXT;
    }
    boolean unique = values == cells;
    boolean nearly = cells >= 50 && 10L * values > 9 * cells;
    boolean named = isIdentifying(name) && 2L * values > cells;
    return unique || nearly || named ? Finding.What.IDENTIFIER : null;
  }

  /**
   * What {@link SchemaFitter} inferred of a column that a user should know.
   *
   * @param column its name
   * @param what the finding
   * @param detail a number or a pattern that belongs to it, empty if none does
   */
  public record Finding(String column, What what, String detail) {
    /** The findings. */
    public enum What {
      /** Every cell is missing; left out. */
      EMPTY,
      /** It identifies rows: nearly every value occurs once; left out. The detail counts values. */
      IDENTIFIER,
      /** It counts the rows; left out. */
      ROW_NUMBER,
      /** Texts of several words, nearly all different; left out. */
      FREE_TEXT,
      /** Dates; the detail is their pattern. */
      DATES,
      /** Dates whose day and month cannot be distinguished; the detail is the pattern taken. */
      AMBIGUOUS_DATES,
      /** Numbers written with a currency, percent sign or groups; the detail is one of them. */
      WRITTEN_NUMBERS,
      /** Texts of a number and a unit; the detail is one of them. */
      NUMBERS_WITH_UNIT,
      /**
       * Numbers of which one, far from the others, seems to stand for missing ones; the detail says
       * which, in how many rows, and on which side.
       */
      MISSING_CODE,
      /**
       * More values than get a feature each; the detail counts the features they are hashed into.
       */
      HASHED
    }
  }
}
