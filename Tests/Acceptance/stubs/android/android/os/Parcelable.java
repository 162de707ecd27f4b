// A stand-in of what Android or a library has, as far as the stub's signatures name it. For these tests alone.
package android.os;

public interface Parcelable {
    int describeContents();
    void writeToParcel(Parcel destination, int flags);

    interface Creator<T> {
        T createFromParcel(Parcel source);
        T[] newArray(int size);
    }
}
