package android.os;

/** Stands in for Android's. */
public final class Bundle {
    public String getString(String key) { return System.getenv("ARGUMENT_" + key); }
}
