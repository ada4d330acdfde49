for text in '[query]\nevidnce = 3' '[query]\nevidence = many' '[encode]\nwindow = 1' 'evidence = 3' \
    '[qury]\nevidence = 3' '[query]\nevidence' '[query' '[encode]\noutput = x.kvz' '[lctool]\nxyzzy = 1' \
    '[lctool]\nread = frish' '[query]\njson = perhaps' \
    '[query] evidence = 3' '[query]\revidence = 3' '[query\nevidence = 3' '[query]\nevidence = 3\0'; do
    printf '%b\n' "$text" | config
    printf -- '--- %s\n' "$text"
    try shown lctool query book.kvz 'Who?'
done
printf '[lctool] ; for all\r\nquiet = yes\nwindow = 512\nevidence = 2\n[encode]\t# one\nkv = exact\n' | config
echo '--- nothing wrong'
try shown lctool query book.kvz 'Who?'
try lctool query --config missing.ini book.kvz 'Who?'
printf '[query]\nevidence = 2\nevidence = 2000\n' > own.ini
try lctool query --config own.ini book.kvz 'Who?'
echo '--- one that cannot be read'
rm ~/.config/lctool/lctool.ini && mkdir ~/.config/lctool/lctool.ini # no mode keeps root out
try shown lctool query book.kvz 'Who?'
rmdir ~/.config/lctool/lctool.ini
echo '--- one without an end'
try lctool query --config /dev/zero book.kvz 'Who?'
