// A stand-in of what Android or a library has, as far as the stub's signatures name it. For these tests alone.
package okhttp3;

public class Request {
    public Builder newBuilder() { return new Builder(); }

    public static class Builder {
        public Builder header(String name, String value) { return this; }
        public Request build() { return new Request(); }
    }
}
