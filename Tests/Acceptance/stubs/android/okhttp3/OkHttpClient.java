// A stand-in of what Android or a library has, as far as the stub's signatures name it. For these tests alone.
package okhttp3;

public class OkHttpClient {
    public static class Builder {
        public Builder addInterceptor(Interceptor interceptor) { return this; }
        public OkHttpClient build() { return new OkHttpClient(); }
    }
}
