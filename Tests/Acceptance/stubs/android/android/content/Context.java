// A stand-in of what Android or a library has, as far as the stub's signatures name it. For these tests alone.
package android.content;

public class Context {
    public java.io.File getFilesDir() { return null; }
    public String getPackageName() { return "guide"; }
    public Context getApplicationContext() { return this; }
}
