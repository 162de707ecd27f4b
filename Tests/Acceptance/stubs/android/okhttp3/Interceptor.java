// A stand-in of what Android or a library has, as far as the stub's signatures name it. For these tests alone.
package okhttp3;

public interface Interceptor {
    Response intercept(Chain chain) throws java.io.IOException;

    interface Chain {
        Request request();
        Response proceed(Request request) throws java.io.IOException;
    }
}
