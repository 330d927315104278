## The first lines of a kernel that runs only where `buckets` says so: sorted in buckets, or where one of them is too large.
% if guard == "buckets":
    if (buckets[${bucket_count + 1}]) return;
% elif guard == "no buckets":
    if (!buckets[${bucket_count + 1}]) return;
% endif
