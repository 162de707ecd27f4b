// A stand-in of what Android or a library has, as far as the stub's signatures name it. For these tests alone.
package android.net;

public class Uri {
    private final String text;
    private Uri(String text) { this.text = text; }
    public static Uri parse(String text) { return new Uri(text); }
    @Override public String toString() { return text; }
}
