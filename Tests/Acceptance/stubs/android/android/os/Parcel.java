// A stand-in of what Android or a library has, as far as the stub's signatures name it. For these tests alone.
package android.os;

public class Parcel {
    public void writeString(String text) {}
    public String readString() { return null; }
}
