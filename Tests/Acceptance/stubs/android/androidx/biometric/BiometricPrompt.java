// A stand-in of what Android or a library has, as far as the stub's signatures name it. For these tests alone.
package androidx.biometric;

public class BiometricPrompt {
    public static class CryptoObject {}
}
